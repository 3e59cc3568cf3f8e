#!/bin/bash
# Finds in Swift sources what Linux alone has, outside of `#if` and of CLinux, whose functions have macOS's way too. It sees
# words and no types: a build on macOS finds more.
set -euo pipefail
cd "$(dirname "$0")/.."
words='import Glibc|/proc/|/sys/|epoll|eventfd|inotify|signalfd|timerfd|memfd|sendfile\(|splice\(|copy_file_range|renameat2|statx'
words+='|O_TMPFILE|O_PATH|O_DIRECT([^O]|$)|accept4|pipe2|prctl|gettid|getrandom|fdatasync\(|posix_fadvise|malloc_trim|close_range'
words+='|SOCK_[A-Z]+|MSG_NOSIGNAL|SO_PEERCRED|TCP_USER_TIMEOUT|__rlimit_resource_t|st_[amc]tim[^e]|addclosefrom_np|explicit_bzero'

# shellcheck disable=SC2046
found=$(awk -v words="$words" '
    FNR == 1 { depth = 0 }
    /^ *#if / { depth++ }
    /^ *#endif/ { depth-- }
    { code = $0; sub(/(^|[^:"])\/\/.*/, "", code) }
    !depth && code ~ words { print FILENAME ":" FNR ": " $0 }
' $(git ls-files 'Sources/*.swift' 'Clients/Swift/Sources/*.swift'))
[[ -z $found ]] || { echo "$found"; echo "Linux alone has this: put it into CLinux, or into #if with what macOS has" >&2; exit 1; }
