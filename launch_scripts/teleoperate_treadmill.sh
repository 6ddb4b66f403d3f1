#!/usr/bin/env bash
# An Xsens suit and a Virtualizer treadmill: walk and the robot walks.
#
#   bash launch_scripts/teleoperate_treadmill.sh --operator anna --robot icub
#   bash launch_scripts/teleoperate_treadmill.sh --source 'xsens:0.0.0.0:9763?sender=192.168.0.7'
#       when MVN runs on another computer, here 192.168.0.7
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" "devices"
exec "$root/.venv/bin/telexist" teleoperate --source xsens --walk-input treadmill:cyberith --controller walk "$@"
