#!/bin/bash
# build-vips.sh FOLDER: builds Debian's libvips and libheif with what previews need and nothing else, for the image.
# FOLDER gets bin/vipsthumbnail and lib/. Debian's own package brings 170 MB of readers for formats that are no photos.
set -euo pipefail

out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get source libheif vips >/dev/null
export CFLAGS="-O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2" CXXFLAGS="-O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2"
export LDFLAGS="-Wl,-z,relro,-z,now" PKG_CONFIG_PATH="$work/root/lib/pkgconfig"

# Pictures of phones (HEIC, AVIF) are read and never written: no encoders.
cmake -G Ninja -S libheif-*/ -B heif -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$work/root" \
    -DCMAKE_INSTALL_LIBDIR=lib -DENABLE_PLUGIN_LOADING=OFF -DWITH_LIBDE265=ON -DWITH_DAV1D=ON \
    -DWITH_X265=OFF -DWITH_AOM_ENCODER=OFF -DWITH_AOM_DECODER=OFF -DWITH_SvtEnc=OFF -DWITH_RAV1E=OFF -DWITH_EXAMPLES=OFF
ninja -C heif install
meson setup vips vips-*/ --prefix="$work/root" --libdir=lib --buildtype=release --auto-features=disabled \
    -Dmodules=disabled -Dcplusplus=false -Ddeprecated=false -Dintrospection=false -Dexamples=false \
    -Djpeg=enabled -Dpng=enabled -Dwebp=enabled -Dtiff=enabled -Dheif=enabled -Dlcms=enabled -Dexif=enabled \
    -Dnsgif=true -Dppm=false -Danalyze=false -Dradiance=false
ninja -C vips install

mkdir -p "$out/bin" "$out/lib"
install -s "$work/root/bin/vipsthumbnail" "$out/bin/"
for library in libvips.so.42 libheif.so.1; do install -s "$work/root/lib/$library" "$out/lib/$library"; done
