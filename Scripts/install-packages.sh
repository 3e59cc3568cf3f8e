#!/bin/bash
# Installs those of the named Debian packages that are missing; does nothing, and needs no root, when none is.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: make sure these are installed by your own means: $*" >&2
    exit 0
fi

missing=()
for package in "$@"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
done
(( ${#missing[@]} )) || exit 0

as_root=()
if (( EUID != 0 )); then
    command -v sudo >/dev/null || { echo "missing packages: ${missing[*]}; install them as root" >&2; exit 1; }
    as_root=(sudo)
fi

install_missing() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

echo "installing: ${missing[*]}"
# Their services stay stopped: nothing here needs one, and Glewlwyd's would listen with a known password.
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod +x "$policy"
    # shellcheck disable=SC2064
    trap "$(printf '%q ' "${as_root[@]}" rm -f "$policy")" EXIT
fi
# The lists may be missing or stale: refresh them only when the first try says so.
install_missing || { "${as_root[@]}" apt-get update && install_missing; }
