#!/usr/bin/env bash
# Set up an environment and run all checks: format, lint, types, tests.
#
#   bash launch_scripts/test.sh                      everything
#   bash launch_scripts/test.sh -m "not slow"        the minute's worth
#   bash launch_scripts/test.sh tests/retarget -x    any options of pytest
set -uo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

prepare_environment "$root" test
cd "$root" || fail "cannot enter $root"
failed=0
"$python" -m ruff format --check --quiet . || { echo "ruff format: failed"; failed=1; }
"$python" -m ruff check --quiet . || { echo "ruff check: failed"; failed=1; }
# mypy sees the packages where a wheel has them: inside `telexist/`.
view=".mypy_cache/view/telexist"
rm -rf "$view" && mkdir -p "$view"
ln -s "$root"/telexist/* "$root"/{retarget,robots,calibration,teleop,launch_scripts,benchmarks} "$view"
"$python" -m mypy --no-error-summary || { echo "mypy: failed"; failed=1; }
[ "$failed" = 0 ] && echo "format, lint and types: passed"
# One thread a process: the tests themselves use both cores.
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}" OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
"$python" -m pytest -n 2 "$@" || failed=1
exit "$failed"
