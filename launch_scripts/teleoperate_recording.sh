#!/usr/bin/env bash
# A recording drives a robot; the page shows both.
#
#   bash launch_scripts/teleoperate_recording.sh --source walk.bvh --robot g1
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" "robots"
exec "$root/.venv/bin/telexist" teleoperate "$@"
