#!/bin/bash
# Runs the Python of docs/clients.md as it stands there, against a server of its own. CUMULUS_PROGRAM names the program.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${CUMULUS_PROGRAM:-.build/debug/cumulus}")
[[ -x $program ]] || { echo "there is no program $program; build it, or name one in CUMULUS_PROGRAM" >&2; exit 1; }
unset CUMULUS_PROGRAM
export CUMULUS_PUBLIC=$PWD/Public PATH=$PWD/.build/python-clients/bin:$PATH PYTHONDONTWRITEBYTECODE=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# block KIND NUMBER: the block of this kind that comes as that one.
block() {
    awk -v kind="\`\`\`$1" -v number="$2" '
        $0 == kind { open = ++count == number; next }
        $0 == "```" { open = 0 }
        open' docs/clients.md
}

# The packages are installed already, and the page's server is the one of this run.
block "sh generate" 1 | grep -v '^pip install ' >"$folder/generate.sh"
cp openapi.yaml "$folder"
cd "$folder"
. ./generate.sh >generate.log 2>&1 || { cat generate.log; exit 1; }
# What is left out is no JSON, and nothing that a client needs is missing.
if grep -E 'Unable to process|removal of' generate.log; then cat generate.log; exit 1; fi
cd - >/dev/null

# play NUMBER OUTPUT: the block prints that.
play() {
    block "python run" "$1" >"$folder/block.py"
    [[ -s $folder/block.py ]] || { echo "docs/clients.md has no block $1 of Python" >&2; exit 1; }
    local output
    output=$(cd "$folder" && timeout --kill-after=10 60 "$program" exec -- \
        bash -c 'sed "s|http://127.0.0.1:8080|$CUMULUS_ORIGIN|" block.py | python')
    [[ $output == "$2" ]] || { printf 'block %s printed\n%s\nand not\n%s\n' "$1" "$output" "$2" >&2; exit 1; }
    echo "ok: block $1 of docs/clients.md prints $2"
}
play 1 "['_defaultZone']"
play 2 Groceries
