#!/bin/bash
# list-public.sh [--check]: lists the files of Public for the compiler, which puts them into the program. To be run after a
# file was added, renamed or removed; edits in one need nothing. --check only says whether the lists are those of the files.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

# list FOLDER: the source of one list.
list() {
    local files file name names=()
    mapfile -t files < <(cd Public && find "$1" -type f ! -name '.*' | sort)
    echo "// The files of Public/$1, by Scripts/list-public.sh."
    echo '#include "lists.h"'
    for file in "${files[@]}"; do
        name=$(tr -c 'a-zA-Z0-9\n' _ <<<"$file")
        names+=("$name")
        printf '\nstatic const uint8_t %s[] = {\n#embed "../../Public/%s"\n};\n' "$name" "$file"
    done
    printf '\nconst cpublic_file cpublic_%s[] = {\n' "$1"
    for place in "${!files[@]}"; do
        printf '    {"%s", %s, sizeof %s},\n' "${files[place]}" "${names[place]}" "${names[place]}"
    done
    printf '    {NULL, NULL, 0},\n};\n'
}

for folder in client static templates texts; do
    source=Sources/CPublicFiles/$folder.c
    if [[ ${1:-} == --check ]]; then
        diff -q <(list "$folder") "$source" >/dev/null ||
            { echo "$source lists other files than Public/$folder has; Scripts/list-public.sh mends it" >&2; exit 1; }
    elif ! list "$folder" | cmp -s - "$source"; then
        list "$folder" >"$source"
    fi
done
