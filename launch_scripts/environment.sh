# Sourced by demo.sh and test.sh: find a Python, make .venv beside the project, install.

fail() {
    echo "telexist: error: $*" >&2
    exit 1
}

find_python() {
    local name
    for name in python3.11 python3.12 python3.13 python3.14 python3 python; do
        if command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return 0
        fi
    done
    return 1
}

found_python() {
    local version=""
    command -v python3 >/dev/null 2>&1 && version="$(python3 --version 2>/dev/null)"
    echo "${version:-none}"
}

# Sets $python to the interpreter of an environment in which the project is installed.
#   $1: project folder   $2: extras to install, "" or "test"
prepare_environment() {
    local root="$1" extras="$2" base stamp log
    local venv="$root/.venv"
    python="$venv/bin/python"
    if ! "$python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        base="$(find_python)" ||
            fail "Python 3.11 or newer is needed and was not found (found: $(found_python)); get it from python.org or your package manager"
        "$base" -c 'import ensurepip, venv' 2>/dev/null ||
            fail "$base cannot create environments; on Debian or Ubuntu: apt-get install $base-venv"
        echo "Creating an environment in $venv with $("$base" --version)"
        "$base" -m venv --clear "$venv" || fail "could not create $venv"
    fi
    # An environment for the tests also serves the demo.
    stamp="$(cksum <"$root/pyproject.toml") $root"
    for have in "$extras" test; do
        [ "$(cat "$venv/installed-$have" 2>/dev/null)" = "$stamp" ] && return 0
    done
    echo "Installing telexist and what it needs (the first time this takes a few minutes)"
    log="$venv/install.log"
    if ! "$python" -m pip install --disable-pip-version-check \
        --editable "$root${extras:+[$extras]}" >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        fail "the installation failed; all of it is in $log"
    fi
    echo "$stamp" >"$venv/installed-$extras"
}
