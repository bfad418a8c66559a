#!/usr/bin/env bash
# portable/run.sh FOLDER infers a profile by way of a portable runner that is a process of its own, with workers that
# are processes of their own, and compares it with that of the embedded runner and of protean infer: they must be the
# same to the byte. The runner is prism, or with ENDPOINT=HOST:PORT a job server that runs already, such as Flink's, on
# this machine. What is built is left in FOLDER.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
work=$(cd "$1" && pwd)

build() { GOWORK=off go build -o "$work/$1" "$2"; }
build infer ./infer
build boot github.com/apache/beam/sdks/v2/go/container
(cd .. && go build -o "$work/protean" ./cmd/protean)

tmp=$(mktemp -d)
prism=
finish() {
	if test -n "$prism"; then kill "$prism" 2> /dev/null || true; fi
	rm -rf "$tmp"
}
trap finish EXIT

endpoint=${ENDPOINT:-}
if test -z "$endpoint"; then
	build prism github.com/apache/beam/sdks/v2/go/cmd/prism
	endpoint=localhost:${PORT:-18073}
	TMPDIR=$tmp "$work/prism" -job_port "${endpoint#*:}" -serve_http=false > "$tmp/prism.log" 2>&1 &
	prism=$!
	for _ in $(seq 50); do
		if grep -q 'Serving JobManagement' "$tmp/prism.log"; then break; fi
		if ! kill -0 "$prism"; then cat "$tmp/prism.log" >&2; exit 1; fi
		sleep 0.2
	done
fi

for i in $(seq 20000); do
	printf '{"id":"evt_%d","size":%d,"labels":{"team-%d":"a"},"actor":{"login":"ada","id":%d}}\n' \
		"$i" $((i % 977)) $((i % 41)) "$i"
done > "$tmp/events.jsonl"
run() { timeout 120 "$work/infer" --data "$tmp/events.jsonl" --split-size 200000 --save-profile "$tmp/$1" "${@:2}"; }

"$work/protean" infer -q --data "$tmp/events.jsonl" --save-profile "$tmp/protean"
run embedded
run loopback --runner universal --endpoint "$endpoint" --environment_type LOOPBACK
run process --runner universal --endpoint "$endpoint" --environment_type PROCESS --worker_binary "$work/infer" \
	--environment_config "{\"command\":\"$PWD/portable/worker.sh\",\"env\":{\"BOOT\":\"$work/boot\",\"TMPDIR\":\"$tmp\"}}"
for profile in embedded loopback process; do
	cmp "$tmp/protean" "$tmp/$profile"
	echo "$profile: the profile of protean infer, to the byte"
done
