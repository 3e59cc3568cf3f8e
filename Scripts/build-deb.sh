#!/bin/bash
# Makes cumulus_VERSION_ARCHITECTURE.deb in .build of a release program. CUMULUS_PROGRAM names another program.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${CUMULUS_PROGRAM:-.build/release/cumulus}
[[ -x $program ]] || { echo "there is no program $program; 'make build' builds it" >&2; exit 1; }

version=$("$program" --version | awk '{ print $1 }')
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$work/debian"

install -D -m 755 Packaging/cumulus "$root/usr/bin/cumulus"
install -D -m 755 "$program" "$root/usr/lib/cumulus/cumulus"
strip "$root/usr/lib/cumulus/cumulus"
if [[ -s $program.commit ]]; then install -m 644 "$program.commit" "$root/usr/lib/cumulus/cumulus.commit"; fi
mkdir -p "$root/usr/share/cumulus"
cp -R Public "$root/usr/share/cumulus/Public"
install -D -m 644 Packaging/cumulus.service "$root/usr/lib/systemd/system/cumulus.service"
install -D -m 644 Packaging/cumulus.json "$root/etc/cumulus/cumulus.json"
install -D -m 644 LICENSE "$root/usr/share/doc/cumulus/copyright"
install -m 644 README.md CHANGELOG.md "$root/usr/share/doc/cumulus/"
cp -R docs "$root/usr/share/doc/cumulus/docs"
Scripts/write-completions.sh "$program" "$root/usr/share"
gzip -9 --no-name "$root/usr/share/man/man1/cumulus.1"
find "$root" -type d -exec chmod 755 {} + -o -type f ! -perm -u+x -exec chmod 644 {} +

# The shared libraries, as the machine that built the program has them.
printf 'Source: cumulus\nPackage: cumulus\nArchitecture: any\n' >"$work/debian/control"
libraries=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$root/usr/lib/cumulus/cumulus" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')

mkdir -p "$root/DEBIAN"
install -m 755 Packaging/postinst Packaging/prerm Packaging/postrm "$root/DEBIAN/"
echo /etc/cumulus/cumulus.json >"$root/DEBIAN/conffiles"
cat >"$root/DEBIAN/control" <<EOF
Package: cumulus
Version: $version
Architecture: $architecture
Maintainer: The Cumulus authors <cumulus@example.invalid>
Section: web
Priority: optional
Installed-Size: $(du -sk --exclude DEBIAN "$root" | cut -f1)
Depends: $libraries, ca-certificates, passwd, tzdata, util-linux
Recommends: libvips-tools
Description: Self-hosted CloudKit
 An HTTP server that speaks CloudKit Web Services: records, zones, change feeds,
 queries, shares with landing pages, assets, subscriptions and notifications.
 .
 With libvips-tools pages show previews of pictures.
EOF
dpkg-deb --root-owner-group --build "$root" ".build/cumulus_${version}_$architecture.deb"
