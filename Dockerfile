# Builds with the commands of scripts/run. Two images come out of it, and the symbols of the program:
#
#   docker build --target service -t plimsoll:service .   for a PostgreSQL that is there already
#   docker build -t plimsoll .                            with a private PostgreSQL inside
#   docker build --target symbols --output symbols .      plimsoll.debug, to be kept with the image

# The base images are named by tags, which move. Their digests are those of the registry; to pin one:
#   docker buildx imagetools inspect swift:6.3-bookworm --format '{{.Manifest.Digest}}'
# and write it behind the tag, as swift:6.3-bookworm@sha256:….
FROM swift:6.3-bookworm AS build
WORKDIR /build
COPY scripts/set-up scripts/set-up
RUN scripts/set-up
COPY . .
RUN swift build --package-path /build -c release --static-swift-stdlib --product plimsoll \
    && scripts/dependencies --check \
    && scripts/strip .build/release/plimsoll stripped

FROM scratch AS symbols
COPY --from=build /build/stripped/plimsoll.debug /

FROM swift:6.3-bookworm-slim AS service
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
        curl libpq5 tini zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 plimsoll \
    && useradd --uid 10001 --gid plimsoll --home-dir /var/lib/plimsoll --no-create-home \
        --shell /usr/sbin/nologin plimsoll \
    # Volumes that are mounted here for the first time take over these owners. Group 0 may write, since
    # some clusters run a container as any user of that group; what is made inside is its user's alone.
    && install --directory --owner=plimsoll --group=root --mode=0770 /var/lib/plimsoll \
    && install --directory --owner=plimsoll --group=root --mode=0775 /var/lib/plimsoll/export
COPY --from=build /build/stripped/plimsoll /usr/local/bin/plimsoll
USER plimsoll
WORKDIR /var/lib/plimsoll
ENV PLIMSOLL_DATA=/var/lib/plimsoll \
    PLIMSOLL_LISTEN=0.0.0.0:8080 \
    PLIMSOLL_PUBLIC_LISTEN=0.0.0.0:8081
VOLUME /var/lib/plimsoll
EXPOSE 8080 8081
# No HEALTHCHECK: which port answers, if any, depends on the command. docker-compose.yml has some.
# Collects the orphans of a private PostgreSQL; -s, since a container may have an init already.
ENTRYPOINT ["tini", "-s", "--", "plimsoll"]
CMD ["serve"]

FROM service AS standalone
USER root
# The cluster is the service's own; Debian need not make one of its own beside it.
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
        postgresql-common \
    && sed -i 's/^#\? *create_main_cluster.*/create_main_cluster = false/' \
        /etc/postgresql-common/createcluster.conf \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
        # Tells PostgreSQL the name of a user that the image does not know.
        libnss-wrapper \
        postgresql-15 \
    && rm -rf /var/lib/apt/lists/*
USER plimsoll
