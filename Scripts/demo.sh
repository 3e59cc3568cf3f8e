#!/bin/bash
# Plays the demo into the development server on 127.0.0.1:8080; starts one on a temporary folder when none answers.
# demo.sh [CUMULUS [DEMO [PORT [OPTION...]]]]: the built programs; another port, 0 for a server on any free one; options of
# the demo. VERBOSE=1 shows every request and answer. DATABASE_URL=postgres://… keeps what is played there, and not in the folder.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -n ${DATABASE_URL:-} ]]; then export CUMULUS_DATABASE_URL=$DATABASE_URL; fi

cumulus=${1:-.build/release/cumulus}
demo=${2:-Examples/Demo/.build/release/cumulus-demo}
port=${3:-8080}
origin=http://127.0.0.1:$port
container=iCloud.com.swapp1990.vacationphotos
rule=Samples/vacation-page.json
family=iCloud.net.dataenvy.TribeBoard
schema=Samples/tribeboard.ckdb
server=
options=("${@:4}")
if [[ -n ${VERBOSE:-} ]]; then options+=(--verbose); fi

stop_server() {
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    rm -rf "$folder"
}

start_server() {
    folder=$(mktemp -d)
    export CUMULUS_DATA=$folder/data
    # A database outlives the folder, and belongs to the assets that it was begun with.
    if [[ -n ${DATABASE_URL:-} ]]; then export CUMULUS_ASSETS_URL=${CUMULUS_ASSETS_URL:-file://$PWD/.build/demo-assets}; fi
    "$cumulus" serve --dev --host 127.0.0.1 --port "$port" >"$folder/log" 2>&1 &
    server=$!
    trap stop_server EXIT
    local tries=0
    origin=
    until [ -n "$origin" ]; do
        if ! kill -0 "$server" 2>/dev/null || ((++tries > 300)); then
            echo "the server did not start:" >&2
            cat "$folder/log" >&2
            exit 1
        fi
        sleep 0.1
        origin=$(sed -n 's/^Cumulus is serving \(http[^ ]*\) .*/\1/p' "$folder/log")
    done
    echo "The demo has a server of its own, on $origin: there was none."
}

# Pages say who shared what, for people whose names the operator entered.
name_people() {
    local known name email
    known=$("$cumulus" user list --json)
    for name in Anna Ben Clara; do
        email=${name,,}@example.com
        [[ $known == *"\"$email\""* ]] || "$cumulus" user create "$email" --given-name "$name" --json >/dev/null
    done
}

# Which public records have a page behind /share/ is the operator's to say, for a container there is: signing in makes it,
# and is refused by a server that is not for development.
set_page_rule() {
    "$demo" sign-in --origin "$origin" --container "$container" --email operator@example.com
    echo "cumulus page set --container $container $rule"
    "$cumulus" page set --container "$container" "$rule" || {
        echo "Is the data of the server on $origin in another folder? CUMULUS_DATA=DIR make demo" >&2
        exit 1
    }
}

# A command whose steps are many lines.
run_shown() { if [[ -n ${VERBOSE:-} ]]; then "$@"; else "$@" >/dev/null; fi; }

# What the family app's developer does before its users come: the schema is tried in development, then deployed.
# Sets production, the options of the demo for a token that is good there.
deploy_family() {
    local token
    "$demo" sign-in --origin "$origin" --container "$family" --email operator@example.com
    echo "cumulus schema import $family --file $schema"
    run_shown "$cumulus" schema import "$family" --file "$schema" --yes
    echo "cumulus schema deploy $family --yes"
    run_shown "$cumulus" schema deploy "$family" --yes
    token=$("$cumulus" token create --container "$family" --environment production --name demo)
    production=(--family-production-token "$token")
}

keep_open() {
    echo "The links work until you press Return."
    trap 'exit 0' INT
    local status
    while kill -0 "$server" 2>/dev/null; do
        status=0
        read -r -t 1 || status=$?
        # More than 128 is a second without a word.
        ((status > 128)) || return 0
    done
    echo "the server has ended:" >&2
    cat "$folder/log" >&2
    exit 1
}

"$cumulus" health --url "$origin" >/dev/null 2>&1 || start_server
set_page_rule
name_people
deploy_family
"$demo" --origin "$origin" "${production[@]}" ${options[@]+"${options[@]}"}
echo
if [ -z "$server" ]; then
    echo "The links work while your server runs."
elif [ -t 0 ] && [ -t 1 ]; then
    keep_open
else
    echo "The server of this demo ends with it. The links stay open with 'make run' in another terminal."
fi
