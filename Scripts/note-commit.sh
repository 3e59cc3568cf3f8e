#!/bin/sh
# note-commit.sh PROGRAM: writes the commit it was built from beside it, where there is a repository to ask.
set -eu
cd "$(dirname "$0")/.."
if commit=$(git rev-parse HEAD 2>/dev/null); then
    git diff --quiet HEAD || commit=$commit-dirty
    echo "$commit" >"$1.commit"
else
    rm -f "$1.commit"
fi
