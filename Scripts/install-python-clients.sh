#!/bin/bash
# Installs the clients in Python that docs/clients.md tells of, for this copy of the source alone.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(pyicloud==2026.10.1 openapi-python-client==0.29.1)
folder=.build/python-clients

[[ -x $folder/bin/openapi-python-client && $(cat "$folder/version" 2>/dev/null) == "${packages[*]}" ]] && exit 0
echo "installing: ${packages[*]}"
python3 -m venv --clear "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
echo "${packages[*]}" >"$folder/version"
