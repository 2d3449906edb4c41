# Sourced by the scripts beside it: a virtual environment under the checkout, made when missing.
# Sets PYTHON (in that environment) and JMEM. Needs only Python 3.11 or newer.
set -eu
checkout=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

find_python() {
    for candidate in "${JMEM_PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
        if [ -n "$candidate" ] && "$candidate" -c \
            'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    echo "jmem needs Python 3.11 or newer on the PATH (or JMEM_PYTHON set to one)" >&2
    exit 1
}

# make_environment FOLDER WHAT: WHAT is "use" (jmem alone) or "dev" (also the test tools).
make_environment() {
    venv=$checkout/$1
    PYTHON=$venv/bin/python
    JMEM=$venv/bin/jmem
    stamp=$venv/.made-for-$2
    if [ -x "$JMEM" ] && [ "$stamp" -nt "$checkout/pyproject.toml" ]; then
        return
    fi
    echo "setting up $1 (once)" >&2
    [ -x "$PYTHON" ] || "$(find_python)" -m venv "$venv"
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
    if [ "$2" = dev ]; then
        (cd "$checkout" && "$PYTHON" -m pip install --quiet --editable . --group dev)
    else
        "$PYTHON" -m pip install --quiet --editable "$checkout"
    fi
    touch "$stamp"
}
