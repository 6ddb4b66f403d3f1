#!/usr/bin/env bash
# A VTuber app of this machine that sends VMC to port 39539, and the keyboard. Nothing
# listens to other machines unless you ask: name the phone that may send.
#
#   bash launch_scripts/teleoperate_phone.sh --robot g1
#   bash launch_scripts/teleoperate_phone.sh --source 'vmc:0.0.0.0:39539?sender=192.168.0.7'
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" "robots"
exec "$root/.venv/bin/telexist" teleoperate --source vmc --walk-input keyboard "$@"
