#!/bin/bash
# image.sh NAME [FLAG...]: builds the image NAME of the archive that release.sh made, with docker where its engine answers,
# else with buildah, and tells how much it has beyond its base; fails when that is more than IMAGE_LIMIT megabytes.
set -euo pipefail
cd "$(dirname "$0")/.."

name=$1
limit=${IMAGE_LIMIT:-150}
shift
compgen -G '.build/dist/cumulus-*-linux-*.tar.gz' >/dev/null ||
    { echo "there is no archive in .build/dist; 'make release' makes it" >&2; exit 1; }

if docker info >/dev/null 2>&1; then
    build() { docker build "$@" .; }
    # Bytes of each layer.
    megabytes() { docker history --human=false --format '{{.Size}}' "$1" | awk '{ sum += $1 } END { print int(sum / 1000000) }'; }
elif command -v buildah >/dev/null; then
    # The OCI format has no place for a health check; docker's has.
    build() { buildah bud --format docker "$@" .; }
    # Such as 312 MB, once for each of its names.
    megabytes() { buildah images --format '{{.Size}}' "$1" | awk 'NR == 1 { print int($1 * ($2 == "GB" ? 1000 : $2 == "MB" ? 1 : 0)) }'; }
else
    echo "building an image needs a running docker engine, or buildah (apt-get install buildah)" >&2
    exit 1
fi

build --tag "$name" "$@"
build --target base --tag "$name-base" "$@"
size=$(($(megabytes "$name") - $(megabytes "$name-base")))
echo "$name has $size MB beyond its base"
if ((size > limit)); then
    echo "that is more than $limit MB; see what has grown, or set IMAGE_LIMIT" >&2
    exit 1
fi
