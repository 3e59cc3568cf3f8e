#!/bin/bash
# build-simdjson.sh FOLDER: makes FOLDER/libsimdjson.a of the source of Debian's package, which has a shared library alone.
set -euo pipefail
folder=$1
version=$(dpkg-query --show --showformat='${source:Version}' libsimdjson-dev)
tools=$(dirname "$(readlink -f "$(command -v swift)")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sources are asked for where the packages come from, in lists of its own: those of the machine stay as they are.
mkdir -p "$work/lists/partial" "$work/parts"
apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u |
    awk '$1 == "Debian" || $1 == "Ubuntu" {
        print "deb-src [signed-by=/usr/share/keyrings/" tolower($1) "-archive-keyring.gpg] " $2, $3, $4
    }' >"$work/parts/sources.list"
cd "$work"
options=(-qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/parts" -o Dir::State::lists="$work/lists"
    -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
apt-get "${options[@]}" source --download-only "simdjson=$version"
mkdir source
tar -xzf simdjson_*.orig.tar.gz -C source --strip-components 1
cd source
"$tools/clang" -O3 -DNDEBUG -w -fPIC -Iinclude -Isrc -c src/simdjson.cpp -o simdjson.o
"$tools/llvm-ar" rcsD libsimdjson.a simdjson.o
mkdir -p "$folder"
cp libsimdjson.a "$folder/"
