#!/bin/bash
# check-release.sh [SUITE...]: unpacks the archive that release.sh made in bare systems with nothing installed, starts the
# program as an ordinary user in an empty folder, and plays README's tour. Suites are those of debootstrap; bookworm (Debian
# 12), trixie (Debian 13) and noble (Ubuntu 24.04) where none is named. One whose packages cannot be reached from here is
# passed over when none was named. Needs root.
#
#   RELEASE_FOLDER   what release.sh made; .build/dist
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/fresh-root.sh
port=${CHECK_PORT:-18091}
folder=${RELEASE_FOLDER:-.build/dist}
archive=$(ls "$folder"/cumulus-*-linux-"$(uname -m)".tar.gz 2>/dev/null | head -1 || true)
[[ -n $archive ]] || fail "there is no archive; 'make release' makes it"
(cd "$folder" && sha256sum --quiet --check SHA256SUMS) || fail "the checksums are others"

check() {
    make_root "$1"
    # An ordinary user in $root, in the folder app of that user's home.
    local as_ann=(chroot --userspec=ann:ann "$root" env -i PATH=/srv/ann/bin:/usr/bin:/bin HOME=/srv/ann
        sh -c 'cd /srv/ann/app && exec "$@"' sh)
    inside useradd --create-home --home-dir /srv/ann --shell /bin/sh ann
    # The program alone, through a link on PATH.
    tar -xzf "$archive" -C "$root/opt"
    inside install -d -o ann -g ann /srv/ann/bin /srv/ann/app
    ln -s "/opt/$(basename "$archive" .tar.gz)/cumulus" "$root/srv/ann/bin/cumulus"
    echo "$1: $("${as_ann[@]}" cumulus --version)"
    "${as_ann[@]}" cumulus exec -- true || fail "exec fails in an empty folder"

    local began=$EPOCHREALTIME
    "${as_ann[@]}" cumulus serve --dev --port "$port" >"$work/server.log" 2>&1 &
    server=$!
    await_server "http://127.0.0.1:$port" "$work/server.log"
    echo "$1: answered after $(( (${EPOCHREALTIME/./} - ${began/./}) / 1000 )) ms"

    # README's commands, from outside: the bare system has no curl and no jq. Its `cumulus` is the one inside.
    mkdir "$work/tour"
    printf '#!/bin/bash\nexec%s cumulus "$@"\n' "$(printf ' %q' "${as_ann[@]}")" >"$work/cumulus"
    chmod +x "$work/cumulus"
    # All but the block that builds the program.
    awk '/^```sh$/ { on = 1; block = ""; next } /^```$/ { if (on && block !~ /^git clone/) printf "%s", block; on = 0 }
        on { block = block $0 "\n" }' README.md | sed "s#127\.0\.0\.1:8080#127.0.0.1:$port#g" >"$work/tour.sh"
    (cd "$work/tour" && PATH=$work:$PATH bash -euo pipefail "$work/tour.sh" >"$work/tour.log" 2>&1) ||
        { cat "$work/tour.log" >&2; fail "README's tour fails in $1"; }
    grep -q Lisbon "$work/tour.log" || { cat "$work/tour.log" >&2; fail "README's tour finds nothing in $1"; }
    check_pages "http://127.0.0.1:$port"
    check_share "http://127.0.0.1:$port"
    # What libpq is for is not here, and is named.
    local said
    said=$("${as_ann[@]}" env CUMULUS_DATABASE_URL=postgres://127.0.0.1/x cumulus container list 2>&1 || true)
    [[ $said == *"the package libpq5"* ]] || fail "a server on PostgreSQL does not name the package that it needs: $said"
    kill "$server"
    wait "$server" || fail "the server did not stop as it should"
    server=
    remove_root
}

# The pages in the program.
check_pages() {
    local path
    for path in / /account /console /client/cumulus.js; do
        curl -sfL -H 'Accept: text/html' -o "$work/page" "$1$path" || fail "$path is not answered"
        [[ -s $work/page ]] || fail "$path is empty"
    done
}

# A share page, whose dates are written by ICU's data.
check_share() {
    local key container=iCloud.com.example.check token zone='"zoneID": {"zoneName": "Trip"}' tag share
    key=$(printf 'd0%.0s' {1..32})
    token=$(curl -sf "$1/auth/dev/session" -d '{"container": "'$container'", "environment": "development", "email": "a@example.com"}' |
        jq -r '.ckWebAuthToken | @uri')
    modify() {
        curl -sf "$1/database/1/$container/development/private/$2/modify?ckAPIToken=$key&ckWebAuthToken=$token" -d "$3"
    }
    modify "$1" zones '{"operations": [{"operationType": "create", "zone": {'"$zone"'}}]}' >/dev/null
    tag=$(modify "$1" records '{'"$zone"', "operations": [{"operationType": "create", "record": {"recordName": "trip",
        "recordType": "Trip", "fields": {"when": {"value": 1700000000000, "type": "TIMESTAMP"}, "size": {"value": 1234567}}}}]}' |
        jq -r '.records[0].recordChangeTag')
    share=$(modify "$1" records '{'"$zone"', "operations": [{"operationType": "create", "record": {"recordName": "share",
        "recordType": "cloudkit.share", "forRecord": {"recordName": "trip", "recordChangeTag": "'"$tag"'"},
        "fields": {"cloudkit.title": {"value": "Our trip"}}, "publicPermission": "READ_ONLY"}}]}' |
        jq -r '.records[0].shortGUID')
    curl -sf -H 'Accept: text/html' -H 'Accept-Language: en-GB' -o "$work/page" "$1/share/$share" || fail "the share page is not answered"
    for words in 'Our trip' '14 November 2023' '1,234,567'; do
        grep -q "$words" "$work/page" || fail "the share page does not say '$words'"
    done
}

suites=("$@")
if ((!$#)); then
    suites=(bookworm trixie)
    if curl -sfI --max-time 10 "${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}/dists/noble/Release" >/dev/null; then
        suites+=(noble)
    else
        echo "Ubuntu's packages cannot be reached from here: only ${suites[*]} are checked"
    fi
fi
for suite in "${suites[@]}"; do check "$suite"; done
