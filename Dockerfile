# resolve → build → a slim runtime that holds the program, its pages and the libraries it links. docs/operating.md tells more.
ARG BUILD_IMAGE=docker.io/library/swift:6.3-bookworm
ARG RUNTIME_IMAGE=docker.io/library/debian:bookworm-slim

# The dependencies change seldom: a layer of their own, made again only when the manifest changes.
FROM ${BUILD_IMAGE} AS resolve
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        libpq-dev libsimdjson-dev libsqlite3-dev libssl-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.* ./
RUN swift package resolve

FROM resolve AS build
COPY . .
RUN swift build -c release --static-swift-stdlib --product cumulus \
    && mkdir /out \
    && cp "$(swift build -c release --static-swift-stdlib --show-bin-path)/cumulus" /out/cumulus \
    && strip /out/cumulus
ARG COMMIT
RUN if [ -n "$COMMIT" ]; then echo "$COMMIT" >/out/cumulus.commit; fi

# What the image's size is compared with.
FROM ${RUNTIME_IMAGE} AS base

# Debian's own libvips brings readers for formats that are no photos, five times the size of all the rest.
FROM base AS previews
RUN sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources \
    && apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        build-essential cmake dpkg-dev libdav1d-dev libde265-dev libexif-dev libexpat1-dev libglib2.0-dev \
        libjpeg62-turbo-dev liblcms2-dev libpng-dev libtiff-dev libwebp-dev meson ninja-build pkg-config
COPY Scripts/build-vips.sh /usr/local/bin/
RUN build-vips.sh /out

FROM base
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates libpq5 libsimdjson14 libsqlite3-0 libssl3 tzdata zlib1g \
        libdav1d6 libde265-0 libexif12 libexpat1 libglib2.0-0 libjpeg62-turbo liblcms2-2 libpng16-16 libtiff6 \
        libwebp7 libwebpdemux2 libwebpmux3 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 cumulus \
    && useradd --system --uid 10001 --gid cumulus --no-create-home --home-dir /data --shell /usr/sbin/nologin cumulus \
    && install -d -o cumulus -g cumulus -m 0700 /data
COPY --from=previews /out/ /usr/local/
RUN ldconfig && vipsthumbnail --vips-version
COPY --from=build /out/ /usr/local/bin/
COPY Public /usr/local/share/cumulus/Public

ENV CUMULUS_DATA=/data \
    CUMULUS_PUBLIC=/usr/local/share/cumulus/Public \
    CUMULUS_HOST=0.0.0.0
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["cumulus", "health"]
ENTRYPOINT ["cumulus"]
CMD ["serve"]
