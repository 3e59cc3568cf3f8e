#!/bin/bash
# Runs every test, and lists the slowest. Where one fails, what failed is said again at the end, where a log that is cut
# off still shows it.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

# All at once they would wait for each other longer than clients and servers wait for an answer.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-12}

log=$(mktemp)
events=$(mktemp)
trap 'rm -f "$log" "$events"' EXIT
# Other flags than the build's would have the next build compile everything anew.
read -ra flags < <(Scripts/debug-flags.sh)
# Programs that give way to all others (previews made ahead, films) have this niceness, and would starve beside other tests.
nice -n 19 swift test "${flags[@]}" --event-stream-output-path "$events" "$@" 2>&1 | tee "$log"
status=$?
if [ -s "$events" ] && command -v python3 >/dev/null; then
    printf '\n== the 25 slowest, in seconds\n'
    Scripts/slowest-tests.py "$events" 25
fi
if [ $status -ne 0 ]; then
    printf '\n== what failed\n'
    grep -aE '^(✘|↳)|recorded an issue|Fatal error|error:|signal code' "$log" | grep -av '^✘ Suite' | head -60
    grep -a 'Test run with' "$log" | tail -1
fi
exit $status
