#!/bin/bash
# merge-release.sh FOLDER FOLDER OUT: puts what release.sh made on two kinds of machine into one folder. What is of no kind, such
# as the JavaScript client, must be the same in both.
set -euo pipefail
export LC_ALL=C
out=$3
mkdir -p "$out"
for folder in "$1" "$2"; do
    (cd "$folder" && sha256sum --quiet --check SHA256SUMS) || { echo "the checksums of $folder are others" >&2; exit 1; }
    for file in "$folder"/*; do
        name=$(basename "$file")
        [[ $name != SHA256SUMS ]] || continue
        if [[ -e $out/$name ]] && ! cmp -s "$file" "$out/$name"; then
            echo "$name is not the same on both machines" >&2
            exit 1
        fi
        cp -p "$file" "$out/"
    done
done
(cd "$out" && sha256sum -- * >SHA256SUMS.partial && mv SHA256SUMS.partial SHA256SUMS)
