#!/usr/bin/env bash
# A SteamVR headset with controllers; the robot's camera is shown in it.
#
#   bash launch_scripts/teleoperate_headset.sh --operator anna
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" "devices"
exec "$root/.venv/bin/telexist" teleoperate --source openvr "$@"
