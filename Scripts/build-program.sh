#!/bin/bash
# Builds the release program: one file that needs nothing but glibc where it runs, the same bytes each time. In a folder whose
# path has another length two bytes differ: the compiler keeps the length of a path of GRDB's.
#
#   SWIFT_FLAGS   more flags for `swift build`, such as --scratch-path
set -euo pipefail
cd "$(dirname "$0")/.."
read -ra flags <<<"-c release --static-swift-stdlib ${SWIFT_FLAGS:-}"
# Debug programs, which the tests run, check at each access that nobody else changes the value meanwhile. Here the checks
# would take one instruction of twenty (docs/decisions/hot-path.md).
flags+=(-Xswiftc -enforce-exclusivity=unchecked)
folder=$(swift build "${flags[@]}" --show-bin-path)
if [[ $(uname) == Linux ]]; then
    Scripts/static-libraries.sh "$folder"
    # Other paths than these would be in the program's debug information, and in the errors of C.
    flags+=(-Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=.")
    read -ra more -d '' <"$folder/link.flags" || true
    # lld, since it packs relocations, which glibc reads from 2.36 on: 4 MB. What nothing outside asks for is no symbol for others
    # to link: 6 MB.
    flags+=(-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
    flags+=(-Xlinker --as-needed -Xlinker --no-export-dynamic -Xlinker --build-id=none "${more[@]}")
fi
swift build "${flags[@]}" --product cumulus
Scripts/note-commit.sh "$folder/cumulus"
