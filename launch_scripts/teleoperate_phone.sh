#!/usr/bin/env bash
# A phone or VTuber app that sends VMC to port 39539, and the keyboard.
#
#   bash launch_scripts/teleoperate_phone.sh --robot g1
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" "robots"
exec "$root/.venv/bin/telexist" teleoperate --source vmc --walk-input keyboard "$@"
