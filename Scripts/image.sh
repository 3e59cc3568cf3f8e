#!/bin/bash
# image.sh NAME [FLAG...]: builds the image NAME with docker where its engine answers, else with buildah.
set -euo pipefail

name=$1
shift
if commit=$(git rev-parse HEAD 2>/dev/null); then
    git diff --quiet HEAD || commit=$commit-dirty
    set -- --build-arg COMMIT="$commit" "$@"
fi

if docker info >/dev/null 2>&1; then
    exec docker build --tag "$name" "$@" .
elif command -v buildah >/dev/null; then
    # The OCI format has no place for a health check; docker's has.
    exec buildah bud --format docker --tag "$name" "$@" .
else
    echo "building an image needs a running docker engine, or buildah (apt-get install buildah)" >&2
    exit 1
fi
