#!/bin/bash
# Writes completions for bash, zsh and fish, and the manual page of a program, into a folder with the layout of /usr/share.
# write-completions.sh PROGRAM FOLDER
set -euo pipefail
[[ $# == 2 && -x $1 ]] || { echo "write-completions.sh PROGRAM FOLDER: PROGRAM must be a program that can be run" >&2; exit 1; }
program=$1
folder=$2
scripts=$(cd "$(dirname "$0")" && pwd)

# write PATH COMMAND…: the command's output, in a file that everybody may read.
write() {
    local path=$folder/$1
    shift
    mkdir -p "$(dirname "$path")"
    "$@" >"$path"
    chmod 644 "$path"
    [[ -s $path ]] || { echo "write-completions.sh: $path is empty" >&2; exit 1; }
}

manual() { "$program" --experimental-dump-help | "$scripts/manual-page.py" "$("$program" --version | awk '{ print $1 }')"; }

write bash-completion/completions/cumulus "$program" --generate-completion-script bash
write zsh/vendor-completions/_cumulus "$program" --generate-completion-script zsh
write fish/vendor_completions.d/cumulus.fish "$program" --generate-completion-script fish
write man/man1/cumulus.1 manual
