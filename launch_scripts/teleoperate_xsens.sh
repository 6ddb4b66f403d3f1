#!/usr/bin/env bash
# An Xsens suit (MVN's network streamer to this machine, port 9763) and the keyboard.
#
#   bash launch_scripts/teleoperate_xsens.sh --operator anna --robot icub
#   bash launch_scripts/teleoperate_xsens.sh --source 'xsens:0.0.0.0:9763?sender=192.168.0.7'
#       when MVN runs on another computer, here 192.168.0.7
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" ""
exec "$root/.venv/bin/telexist" teleoperate --source xsens --walk-input keyboard "$@"
