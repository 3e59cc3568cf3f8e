#!/bin/bash
# Installs the package that build-deb.sh made into a fresh Debian, starts what its unit starts, removes it, and looks at what
# is left. Needs root; a root of its own is made in .build and removed.
set -euo pipefail
cd "$(dirname "$0")/.."
(( EUID == 0 )) || { echo "check-deb.sh must run as root: it makes a root and goes into it" >&2; exit 1; }
package=$(ls -t .build/cumulus_*.deb 2>/dev/null | head -1 || true)
[[ -n $package ]] || { echo "there is no package; 'make deb' makes it" >&2; exit 1; }
port=${CHECK_PORT:-18090}
. Scripts/fresh-root.sh
make_root bookworm

# apt REFUSAL COMMAND [PACKAGE]
apt() {
    local refusal=$1
    shift
    inside apt-get -qq -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >"$work/apt.log" 2>&1 && return
    tail -5 "$work/apt.log" >&2
    fail "$refusal"
}

if [[ -d /etc/apt/apt.conf.d ]]; then cp -R /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"; fi

cp "$package" "$root/cumulus.deb"
apt "bringing apt up to date failed" update
apt "installing systemd failed" install systemd
apt "the package does not install" install ./cumulus.deb
echo "installed: $(inside cumulus --version)"
for file in bash-completion/completions/cumulus zsh/vendor-completions/_cumulus fish/vendor_completions.d/cumulus.fish man/man1/cumulus.1.gz; do
    [[ -s $root/usr/share/$file ]] || fail "the package lacks $file"
done
[[ $(stat -c '%a' "$root/var/lib/cumulus") == 700 ]] || fail "the data folder is not its owner's alone"
inside systemd-analyze verify /usr/lib/systemd/system/cumulus.service || fail "the unit is not sound"
inside systemd-analyze security --offline=true /usr/lib/systemd/system/cumulus.service | tail -1

# No systemd runs in here: what its unit starts is started by hand, as its user.
command=$(sed -n 's/^ExecStart=//p' Packaging/cumulus.service)
chroot "$root" setpriv --reuid cumulus --regid cumulus --init-groups env PATH=/usr/bin:/bin sh -c "cd /var/lib/cumulus && exec $command --port $port" >"$work/server.log" 2>&1 &
server=$!
await_server "http://127.0.0.1:$port" "$work/server.log"
inside cumulus container create iCloud.com.example.app >/dev/null 2>&1 || fail "a command beside the server failed"
[[ -z $(find "$root/var/lib/cumulus" ! -user "$(inside id -u cumulus)") ]] || fail "a command left files that are not the server's"
kill "$server"
wait "$server" || fail "the server did not stop as it should"
server=

apt "a removal failed" remove cumulus
[[ -d $root/var/lib/cumulus && -e $root/etc/cumulus/cumulus.json && ! -e $root/usr/bin/cumulus ]] || fail "a removal takes the wrong things"
apt "a purge failed" purge cumulus
[[ -d $root/var/lib/cumulus ]] || fail "a purge took the data"
rm -rf "$root/var/lib/cumulus"
apt "the package does not install again" install ./cumulus.deb
apt "a purge failed" purge cumulus
left=$(cd "$root" && find etc usr var -xdev -iname '*cumulus*' ! -path 'var/lib/dpkg/*' ! -path 'var/cache/*')
[[ -z $left ]] || fail "a purge leaves $left"
inside getent passwd cumulus >/dev/null && fail "a purge leaves the user"
echo "removed: nothing is left"
