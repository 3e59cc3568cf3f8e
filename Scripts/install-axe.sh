#!/bin/bash
# Installs axe-core, the rules of accessibility that the tests hold the pages to, for this copy of the source alone.
set -euo pipefail
cd "$(dirname "$0")/.."

# It brings axe-core 4.12.1 along.
version=0.1.8
folder=.build/axe

[[ -s $folder/axe.min.js && $(cat "$folder/version" 2>/dev/null) == "$version" ]] && exit 0
echo "installing: axe-playwright-python $version"
python3 -m venv --clear "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps "axe-playwright-python==$version"
cp "$folder"/lib/python3*/site-packages/axe_playwright_python/axe.min.js "$folder/axe.min.js"
echo "$version" >"$folder/version"
