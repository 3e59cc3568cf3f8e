#!/bin/bash
# check-program.sh PROGRAM: fails if a program links any shared library but glibc's, or has more than PROGRAM_LIMIT megabytes
# once it is stripped.
set -euo pipefail
program=$1
limit=${PROGRAM_LIMIT:-70}

needed=$(LC_ALL=C readelf --dynamic "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
others=$(grep -vE '^(lib(c|m|dl|rt|pthread|resolv|util)\.so\.[0-9]+|ld-linux.*)$' <<<"$needed" || true)
if [[ -n $others ]]; then
    echo "$program links more than glibc: ${others//$'\n'/ }" >&2
    exit 1
fi

stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$program"
size=$(($(stat -c %s "$stripped") / 1000000))
echo "$program has $size MB once stripped, and links $(wc -w <<<"$needed") libraries of glibc"
if ((size > limit)); then
    echo "that is more than $limit MB; see what has grown, or set PROGRAM_LIMIT" >&2
    exit 1
fi
