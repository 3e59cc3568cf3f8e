#!/bin/bash
# Runs the Python blocks of docs/clients.md as they stand there, each beside a server of its own, and looks at what they
# print; then Tests/Python/passkeys.py. CUMULUS_PROGRAM names the server's program.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${CUMULUS_PROGRAM:-.build/debug/cumulus}")
[[ -x $program ]] || { echo "there is no program $program; build it, or name one in CUMULUS_PROGRAM" >&2; exit 1; }
unset CUMULUS_PROGRAM
# What the page installs is there already, so that pip only looks whether it is.
export PATH=$PWD/.build/python-clients/bin:$PATH PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1

page=$PWD/docs/clients.md
passkeys=$PWD/Tests/Python/passkeys.py
limit=(timeout --kill-after=10 "${LIMIT:-120}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp openapi.yaml "$folder"
cd "$folder"

fail() { echo "$page: $*" >&2; exit 1; }

section() { awk -v heading="## $1" '/^## / { inside = $0 == heading } inside' "$page"; }

# The blocks of one kind in a section.
blocks() {
    section "$1" | awk -v fence="\`\`\`$2" '$0 == fence { open = found = 1; next } $0 == "```" { open = 0 } open
        END { exit !found }' || fail "$1 has no block marked \"$2\""
}

# A section's shell, then its Python with the origin of a server, which has to print what is expected.
check() {
    local heading=$1 expected=$2 said
    blocks "$heading" "sh install" >install.sh
    blocks "$heading" "python run" >example.py
    grep -q http://127.0.0.1:8080 example.py || fail "$heading does not name the server"
    "${limit[@]}" bash -euo pipefail install.sh >install.log 2>&1 || { cat install.log >&2; fail "$heading: installing"; }
    # shellcheck disable=SC2016
    said=$("${limit[@]}" "$program" exec -- bash -euc \
        'sed -i "s|http://127.0.0.1:8080|$CUMULUS_ORIGIN|" example.py; exec python example.py') || fail "$heading: $said"
    [[ $said == "$expected" ]] || fail "$heading printed \"$said\" instead of \"$expected\""
    echo "passed: $heading"
}

check pyicloud $'[\'_defaultZone\']\nErrands'
check "Generated clients" Groceries

# Every module can be imported, and the generator has left out what the page says and nothing else.
python - <<'END'
import importlib, pkgutil, cumulus_client

for module in pkgutil.walk_packages(cumulus_client.__path__, "cumulus_client."):
    importlib.import_module(module.name)
END
! grep "Unable to process" install.log || fail "the generator leaves out a schema: $(grep "^/components" install.log)"
diff <(sed -n 's/^WARNING parsing \(.*\) within .*\. Endpoint will not be generated\.$/\1/p' install.log | sort) \
    <(section "Generated clients" | grep -oE '`[A-Z]+ /[^`]+`' | tr -d '`' | sort) ||
    fail "the routes that the generator leaves out are others than the page names"
echo "passed: what the generator leaves out"

# The server's log tells each refusal that was meant to be.
"${limit[@]}" "$program" exec -- python "$passkeys" 2>passkeys.log || { cat passkeys.log >&2; fail "passkeys"; }
