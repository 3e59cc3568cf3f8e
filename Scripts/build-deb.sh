#!/bin/bash
# Makes cumulus_VERSION_ARCHITECTURE.deb of a release program, the same bytes each time.
#
#   CUMULUS_PROGRAM     the program; .build/release/cumulus
#   DEB_FOLDER          where to; .build
#   SOURCE_DATE_EPOCH   the time of all files; that of the commit
set -euo pipefail
cd "$(dirname "$0")/.."
program=${CUMULUS_PROGRAM:-.build/release/cumulus}
[[ -x $program ]] || { echo "there is no program $program; 'make build' builds it" >&2; exit 1; }

export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
umask 022

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
install -D -m 644 Packaging/cumulus.service "$root/usr/lib/systemd/system/cumulus.service"
install -D -m 644 Packaging/cumulus.json "$root/etc/cumulus/cumulus.json"
install -D -m 644 LICENSE "$root/usr/share/doc/cumulus/copyright"
Scripts/third-party.py licenses >>"$root/usr/share/doc/cumulus/copyright"
install -m 644 README.md CHANGELOG.md "$root/usr/share/doc/cumulus/"
cp -R docs "$root/usr/share/doc/cumulus/docs"
# A release has made them already.
if [[ -d ${program%/*}/share ]]; then
    cp -R "${program%/*}/share/." "$root/usr/share/"
else
    Scripts/write-completions.sh "$program" "$root/usr/share"
fi
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
Installed-Size: $(find "$root" -path "$root/DEBIAN" -prune -o -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
Depends: $libraries, ca-certificates, passwd, tzdata, util-linux
Recommends: ffmpeg, libpq5, libvips-tools
Description: Self-hosted CloudKit
 An HTTP server that speaks CloudKit Web Services: records, zones, change feeds,
 queries, shares with landing pages, assets, subscriptions and notifications.
 .
 With libvips-tools pages show previews of pictures, with ffmpeg pictures of videos; libpq5 is for data in PostgreSQL.
EOF
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --build "$root" "${DEB_FOLDER:-.build}/cumulus_${version}_$architecture.deb"
