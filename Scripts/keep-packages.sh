#!/bin/bash
# keep-packages.sh restore|save|key: keeps the compiled packages of a debug build from one clean clone to the next, where CI has
# a folder that outlives the clone. They are used again as long as the manifest's dependencies, the compiler, the machine and
# the folder of the clone are the same.
#
#   CUMULUS_PACKAGES   the folder; without it nothing is kept. It holds one archive.
set -euo pipefail
cd "$(dirname "$0")/.."

key() {
    {
        sed -n '/^    dependencies: \[/,/^    \],/p' Package.swift
        grep 'flags+*=' Scripts/debug-flags.sh
        swift --version 2>/dev/null
        uname -m
        # The build's files name others by their whole paths.
        pwd
    } | sha256sum | cut -c1-32
}

folder=${CUMULUS_PACKAGES:-}
case ${1:-} in
key) key ;;
restore)
    [[ -n $folder && ! -e .build ]] || exit 0
    archive=$folder/$(key).tar.gz
    [[ -e $archive ]] || exit 0
    mkdir .build
    tar -xzf "$archive" -C .build || { echo "the kept packages cannot be read: they are built" >&2; rm -rf .build; }
    ;;
save)
    [[ -n $folder && -e .build/debug ]] || exit 0
    archive=$folder/$(key).tar.gz
    [[ ! -e $archive ]] || exit 0
    mkdir -p "$folder"
    # What is ours changes with each commit, and is built anew.
    own=()
    for target in $(sed -nE 's/.*(target|Target)\(.*name: "([A-Za-z]+)".*/\2/p; s/^ +name: "([A-Za-z]+)",.*/\1/p' Package.swift); do
        own+=(--exclude "$target.*" --exclude "$target-*" --exclude "$target")
    done
    partial=$(mktemp "$folder/partial.XXXXXX")
    (
        cd .build
        parts=()
        for part in checkouts repositories artifacts workspace-state.json "$(uname -m)-unknown-linux-gnu" debug debug.yaml build.db; do
            if [[ -e $part ]]; then parts+=("$part"); fi
        done
        tar --exclude index --exclude release --exclude '*.xctest' --exclude '*.product' "${own[@]}" -cf - "${parts[@]}" | gzip -1
    ) >"$partial"
    find "$folder" -maxdepth 1 -name '*.tar.gz' -delete
    mv "$partial" "$archive"
    ;;
*)
    echo "keep-packages.sh restore|save|key" >&2
    exit 2
    ;;
esac
