#!/bin/bash
# Makes what a release has, in a folder with nothing else, of a program that is built: the same bytes each time.
#
#   CUMULUS_PROGRAM     the program; .build/release/cumulus
#   RELEASE_FOLDER      where to; .build/dist, which is made anew
#   RELEASE_COMPRESSION gzip's level; 9
#   SOURCE_DATE_EPOCH   the time of all files; that of the commit
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022
cd "$(dirname "$0")/.."
program=$(readlink -f "${CUMULUS_PROGRAM:-.build/release/cumulus}")
folder=${RELEASE_FOLDER:-.build/dist}
[[ -x $program ]] || { echo "there is no program $program; 'make build' builds it" >&2; exit 1; }
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

version=$("$program" --version | awk '{ print $1 }')
machine=$(uname -m)
name=cumulus-$version-linux-$machine
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$folder"
mkdir -p "$folder"

# pack ARCHIVE FOLDER NAME: a .tar.gz of FOLDER/NAME without a trace of who packed it and when.
pack() {
    tar -C "$2" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w --mtime="@$SOURCE_DATE_EPOCH" \
        --format=ustar -cf - "$3" | gzip -n "-${RELEASE_COMPRESSION:-9}" >"$1"
}

# The program, and what belongs beside it in the places that people expect.
root=$work/$name
mkdir -p "$root"
Scripts/strip-program.sh "$program" "$root/cumulus"
if [[ -s $program.commit ]]; then install -m 644 "$program.commit" "$root/cumulus.commit"; fi
install -m 644 README.md CHANGELOG.md LICENSE Packaging/cumulus.service "$root/"
Scripts/third-party.py licenses >"$root/THIRD-PARTY-LICENSES.txt"
# Completions and the manual page.
if [[ -x Scripts/write-completions.sh ]]; then Scripts/write-completions.sh "$program" "$root/share"; fi
pack "$folder/$name.tar.gz" "$work" "$name"

DEB_FOLDER=$folder CUMULUS_PROGRAM=$root/cumulus Scripts/build-deb.sh >/dev/null

# As `npm pack` makes it: the files in a folder with the name package.
mkdir "$work/npm"
cp -R Public/client "$work/npm/package"
install -m 644 LICENSE "$work/npm/package/LICENSE"
client=$(sed -n 's/^ *"version": "\(.*\)",$/\1/p' Public/client/package.json)
pack "$folder/cumulus-client-$client.tgz" "$work/npm" package

Scripts/third-party.py sbom "$version" "$root/cumulus" >"$folder/$name.spdx.json"

# The changelog's part for the version, or what has none yet.
heading=$(grep -m 1 "^## $version" CHANGELOG.md || echo "## Unreleased")
awk -v heading="$heading" '/^## / { inside = $0 == heading; next } inside' CHANGELOG.md >"$folder/CHANGES.md"

(cd "$folder" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
ls -l "$folder" | awk 'NR > 1 { printf "%12d  %s\n", $5, $9 }'
