#!/usr/bin/env bash
# Are the lowest versions that pyproject.toml states true? Install exactly these, test.
#
#   bash launch_scripts/test_lowest.sh                 a part that uses every library
#   bash launch_scripts/test_lowest.sh -m "not slow"   all of the fast part
#   PYTHON=python3.13 bash launch_scripts/test_lowest.sh ...   with another Python
#
# uv resolves them; the environment is .venv-lowest. What was current when a library came
# out is deprecated by now in the libraries that it uses: such warnings are no errors here.
set -uo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/launch_scripts/environment.sh"

venv="$root/.venv-lowest"
python="$venv/bin/python"
stamp="$(cksum <"$root/pyproject.toml")"
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$stamp" ]; then
    base="${PYTHON:-$(find_python)}" ||
        fail "Python 3.11 or newer is needed and was not found (found: $(found_python))"
    "$base" -m venv --clear "$venv" || fail "could not create $venv"
    {
        "$python" -m pip install uv &&
            "$venv/bin/uv" pip install --python "$python" --resolution lowest-direct \
                --editable "$root[test]"
    } >"$venv/install.log" 2>&1 ||
        fail "the lowest versions cannot be installed; see $venv/install.log"
    echo "$stamp" >"$venv/installed"
fi
cd "$root" || fail "cannot enter $root"
if [ "$#" = 0 ]; then
    set -- -m "not slow" tests/contracts tests/laws tests/robots/mujoco \
        tests/retarget/follow tests/retarget/pictures tests/teleop/dataset \
        tests/teleop/recording tests/teleop/viewers
fi
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}" OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
exec "$python" -m pytest -n 2 -W ignore::DeprecationWarning "$@"
