# Read by check-deb.sh and check-release.sh: a fresh Debian or Ubuntu in a folder, and a server in it. What is made goes when
# the script ends.
#
#   DEBIAN_MIRROR   where Debian's packages are; where this machine has them from
#   UBUNTU_MIRROR   where Ubuntu's are

name=$(basename "$0" .sh)
work=
root=
server=
# $name: why it fails.
fail() { echo "$name: $*" >&2; exit 1; }

remove_root() {
    if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
    server=
    if [[ -n $root ]] && mountpoint -q "$root/proc"; then umount "$root/proc"; fi
    if [[ -n $work ]]; then rm -rf --one-file-system "$work"; fi
}

# make_root SUITE: $root is a fresh system with nothing but what the smallest one has, $work a folder for notes beside it.
make_root() {
    (( EUID == 0 )) || fail "must run as root: it makes a root and goes into it"
    local suite=$1 mirror script=
    case $suite in
    noble)
        mirror=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}
        # Debian 12's debootstrap knows no suite so new; all of Ubuntu have this script.
        script=/usr/share/debootstrap/scripts/gutsy
        ;;
    *)
        mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | head -1)}
        mirror=${mirror:-http://deb.debian.org/debian}
        ;;
    esac
    work=$(mktemp -d "$PWD/.build/root.XXXXXX")
    root=$work/root
    trap remove_root EXIT
    timeout --kill-after=10 900 debootstrap --variant=minbase "$suite" "$root" "$mirror" ${script:+"$script"} >"$work/debootstrap.log" 2>&1 ||
        { tail -5 "$work/debootstrap.log" >&2; fail "debootstrap of $suite failed"; }
    mount -t proc proc "$root/proc"
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
}

# inside COMMAND...: as root in $root.
inside() {
    timeout --kill-after=10 300 chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

# await_server ORIGIN LOG: waits until $server answers.
await_server() {
    local health
    for _ in $(seq 200); do
        if health=$(curl -sf "$1/health"); then
            echo "healthy: $health"
            return
        fi
        kill -0 "$server" 2>/dev/null || { cat "$2" >&2; fail "the server ended"; }
        sleep 0.1
    done
    fail "the server does not answer"
}
