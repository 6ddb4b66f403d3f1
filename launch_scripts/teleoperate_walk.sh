#!/usr/bin/env bash
# An Xsens suit moves the body, a joypad walks: the free-standing robot.
#
#   bash launch_scripts/teleoperate_walk.sh --operator anna --robot g1
#   bash launch_scripts/teleoperate_walk.sh --source 'xsens:0.0.0.0:9763?sender=192.168.0.7'
#       when MVN runs on another computer, here 192.168.0.7
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" "devices,robots"
exec "$root/.venv/bin/telexist" teleoperate --source xsens --walk-input joypad --controller walk "$@"
