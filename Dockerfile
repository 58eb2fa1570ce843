# The program in an image of its own, with Hugo or (--target lean) without:
#
#     docker build -t metarobots .
#     docker run --rm -v "$PWD:/site" -u "$(id -u):$(id -g)" metarobots apply
#
# The site is mounted at /site; -u lets it write what belongs to you. Only the layer of `go mod download` uses the
# network: what comes after it builds with the network off.

FROM --platform=$BUILDPLATFORM golang:1.26.8 AS modules
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download

FROM modules AS build
COPY . .
ARG TARGETOS TARGETARCH VERSION="" COMMIT=""
ENV CGO_ENABLED=0 GOFLAGS="-mod=readonly -trimpath -buildvcs=false" GOPROXY=off

FROM build AS build-full
RUN --network=none GOOS=$TARGETOS GOARCH=$TARGETARCH go build -ldflags "-s -w -X metarobots/internal/cli.release=$VERSION -X metarobots/internal/cli.commit=$COMMIT" -o /out/metarobots .

FROM build AS build-lean
RUN --network=none GOOS=$TARGETOS GOARCH=$TARGETARCH go build -tags nohugo -ldflags "-s -w -X metarobots/internal/cli.release=$VERSION -X metarobots/internal/cli.commit=$COMMIT" -o /out/metarobots .

# distroless/static: certificates, time zones, a folder for temporary files, and no shell.
FROM gcr.io/distroless/static-debian12:nonroot AS base
ENV HOME=/tmp XDG_CACHE_HOME=/tmp/cache
WORKDIR /site
USER nonroot:nonroot
ENTRYPOINT ["/usr/local/bin/metarobots"]

FROM base AS lean
COPY --from=build-lean /out/metarobots /usr/local/bin/metarobots

FROM base AS full
COPY --from=build-full /out/metarobots /usr/local/bin/metarobots
