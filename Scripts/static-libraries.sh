#!/bin/bash
# static-libraries.sh FOLDER: puts into FOLDER, where SwiftPM's linker looks before the system's folders, the archives of the
# libraries that the program links, so that it needs nothing but glibc where it runs, and writes FOLDER/link.flags, the
# flags to link with. Linux alone.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
tools=$(dirname "$(readlink -f "$(command -v swift)")")
mkdir -p "$folder"
# Once more, after the archives that need it: each is searched once, in its place.
echo "-Xlinker -lstdc++" >"$folder/link.flags"

# link NAME [AS]: the system's archive libNAME.a, for the linker to find as lib(AS).
link() {
    local archive
    archive=$("$tools/clang" -print-file-name="lib$1.a")
    if [[ $archive == /* ]]; then ln -sfn "$archive" "$folder/lib${2:-$1}.a"; fi
}
link sqlite3
link z
link stdc++
link crypto
# The half of libgcc that unwinds, which is a shared library otherwise.
link gcc_eh gcc_s

# Debian's package of simdjson has no archive; what is made is kept for the next build.
kept=$PWD/.build/simdjson/$(dpkg-query --show --showformat='${source:Version}' libsimdjson-dev)
if [[ -e $kept/libsimdjson.a ]] || Scripts/build-simdjson.sh "$kept"; then
    ln -sfn "$kept/libsimdjson.a" "$folder/libsimdjson.a"
else
    echo "simdjson's source cannot be had: the program will need libsimdjson where it runs" >&2
fi

# ICU's data is a third of the program. Of its languages, the program writes English alone; docs/decisions/one-file.md.
archive=$(dirname "$tools")/lib/swift_static/linux/lib_FoundationICU.a
read -r name member < <("$tools/llvm-nm" -A "$archive" 2>/dev/null |
    sed -nE 's/.*\.a:([^:]+): .* R (icudt[0-9]+_dat)$/\2 \1/p') || true
if [[ -n ${member:-} ]] && command -v python3 >/dev/null; then
    if [[ ! $folder/icu-data.o -nt $archive || ! $folder/icu-data.o -nt Scripts/icu-data.py ]]; then
        "$tools/llvm-ar" p "$archive" "$member" >"$folder/icu-all.o"
        "$tools/llvm-objcopy" -O binary --only-section .rodata "$folder/icu-all.o" "$folder/icu-all.dat"
        Scripts/icu-data.py "$folder/icu-all.dat" "$folder/icu-data.dat"
        printf '.section .rodata\n.balign 16\n.global cumulus_icu_data\ncumulus_icu_data:\n.incbin "%s"\n.section .note.GNU-stack,"",%%progbits\n' \
            "$folder/icu-data.dat" | "$tools/clang" -x assembler -c - -o "$folder/icu-data.o"
        rm "$folder/icu-all.o" "$folder/icu-all.dat" "$folder/icu-data.dat"
    fi
    echo "-Xlinker --defsym -Xlinker $name=cumulus_icu_data -Xlinker $folder/icu-data.o" >>"$folder/link.flags"
fi
