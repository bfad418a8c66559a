#!/usr/bin/env bash
# From samples to a working service: infers a schema of events.jsonl, has protoc-gen-go generate its Go code, and serves
# and calls it. Takes a folder to work in.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "${1:?usage: run.sh FOLDER}"
work=$(cd "$1" && pwd)

(cd "$root" && go run ./cmd/protean infer --data "$here/events.jsonl" --package acme.v1 --message Event \
	--go-package example.com/inferred/eventpb -o "$work/event.proto" --lock "$work/event.lock.yaml")

# The generator of the version in tools/go.mod; the code is put where its import path says.
(cd "$root/tools" && GOWORK=off go run "$here/generate.go" "$work" event.proto)
rm -rf "$work/eventpb" && mv "$work/example.com/inferred/eventpb" "$work/eventpb"

cd "$work"
sed '/^\/\/go:build ignore$/d' "$here/service.go" > main.go
version=$(cd "$root" && GOWORK=off go list -m -f '{{.Version}}' google.golang.org/protobuf)
cat > go.mod <<EOF
module example.com/inferred

go 1.26.0

require (
	github.com/protean-pb/protean v0.1.0
	google.golang.org/protobuf $version
)

replace github.com/protean-pb/protean v0.1.0 => $root
EOF
cp "$root/go.sum" go.sum
GOWORK=off go run . "$here/events.jsonl"
