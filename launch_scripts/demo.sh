#!/usr/bin/env bash
# The built-in operator drives the iCub in MuJoCo, with the page open, on any machine that
# has Python 3.11+ and nothing else.
#
#   bash launch_scripts/demo.sh                        one minute; then a summary
#   bash launch_scripts/demo.sh --duration 10          shorter; --duration inf: until Ctrl-C
#   bash launch_scripts/demo.sh --source walk.bvh      further options go to telexist teleoperate
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" ""
"$root/.venv/bin/telexist" teleoperate --duration 60 --record "$root/out" "$@"
echo
echo "Again, without end:  $root/.venv/bin/telexist teleoperate"
echo "Your recording:      $root/.venv/bin/telexist retarget walk.bvh --robot icub"
