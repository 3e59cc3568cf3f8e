#!/bin/bash
# Installs the Python clients that docs/clients.md tells of, for this copy of the source alone.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=Scripts/python-clients.txt
folder=.build/python-clients

[[ -x $folder/bin/python ]] && cmp --silent "$packages" "$folder/packages.txt" && exit 0
echo "installing: $(grep -E '^(pyicloud|openapi-python-client)==' "$packages" | paste -sd ' ')"
python3 -m venv --clear "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$packages"
cp "$packages" "$folder/packages.txt"
