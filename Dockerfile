# The program of a release's archive, in a slim system with the libraries that previews of pictures need.
# docs/operating.md tells more.
ARG RUNTIME_IMAGE=docker.io/library/debian:bookworm-slim

# What the image's size is compared with.
FROM ${RUNTIME_IMAGE} AS base

# `make release` makes the archive; there may be one for each kind of machine.
FROM base AS program
COPY .build/dist/cumulus-*-linux-*.tar.gz /archives/
RUN mkdir /out && tar -xzf /archives/cumulus-*-linux-"$(uname -m)".tar.gz -C /out --strip-components 1

# Debian's own libvips brings readers for formats that are no photos, five times the size of all the rest. This takes
# minutes, and is done again only when the file below changes.
FROM base AS previews
RUN sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources \
    && apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        build-essential cmake dpkg-dev libdav1d-dev libde265-dev libexif-dev libexpat1-dev libglib2.0-dev \
        libjpeg62-turbo-dev liblcms2-dev libpng-dev libtiff-dev libwebp-dev meson ninja-build pkg-config
COPY Scripts/build-vips.sh /usr/local/bin/
RUN build-vips.sh /out

FROM base
# libpq5 is for data in PostgreSQL, the rest below the first line for previews.
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates libpq5 tzdata \
        libdav1d6 libde265-0 libexif12 libexpat1 libglib2.0-0 libjpeg62-turbo liblcms2-2 libpng16-16 libtiff6 \
        libwebp7 libwebpdemux2 libwebpmux3 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 cumulus \
    && useradd --system --uid 10001 --gid cumulus --no-create-home --home-dir /data --shell /usr/sbin/nologin cumulus \
    && install -d -o cumulus -g cumulus -m 0700 /data
COPY --from=previews /out/ /usr/local/
RUN ldconfig && vipsthumbnail --vips-version
COPY --from=program /out/LICENSE /out/THIRD-PARTY-LICENSES.txt /usr/local/share/doc/cumulus/
COPY --from=program /out/cumulus /out/cumulus.commi[t] /usr/local/bin/

ENV CUMULUS_DATA=/data \
    CUMULUS_HOST=0.0.0.0
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["cumulus", "health"]
ENTRYPOINT ["cumulus"]
CMD ["serve"]
