#!/bin/bash
# Runs the demo against the development server on 127.0.0.1:8080; starts one on a temporary folder when none answers.
set -euo pipefail

origin=http://127.0.0.1:8080
programs=.build/release

if ! "$programs/cumulus" health --url "$origin" >/dev/null 2>&1; then
    folder=$(mktemp -d)
    "$programs/cumulus" serve --dev --host 127.0.0.1 --port 8080 --data "$folder/data" >"$folder/log" 2>&1 &
    server=$!
    trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
    tries=0
    until "$programs/cumulus" health --url "$origin" >/dev/null 2>&1; do
        if ! kill -0 "$server" 2>/dev/null || (( ++tries > 300 )); then
            echo "the server did not start:" >&2
            cat "$folder/log" >&2
            exit 1
        fi
        sleep 0.1
    done
    echo "no server answered on $origin: started one for the length of this demo"
fi

"$programs/cumulus-demo" --origin "$origin"
