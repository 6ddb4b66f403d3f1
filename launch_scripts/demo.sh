#!/usr/bin/env bash
# Retarget the built-in motion to the iCub and to a 66-joint human, on any machine that
# has Python 3.11+ and nothing else.
#
#   bash launch_scripts/demo.sh                 results in out/ of the project folder
#   bash launch_scripts/demo.sh --robot icub    further options go to telexist retarget
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" ""
"$root/.venv/bin/telexist" retarget builtin \
    --robot icub,human66 --out "$root/out" "$@"
echo
echo "Watch it:   $root/.venv/bin/telexist view builtin --robot icub"
echo "Your clip:  $root/.venv/bin/telexist retarget walk.bvh --robot icub"
