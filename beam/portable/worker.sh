#!/bin/sh
# What a runner starts for a worker in the PROCESS environment: Beam's boot program for Go, which $BOOT names. It
# fetches the pipeline's program from the runner, and runs it. Prism puts the value of --id in quotes, which no shell
# takes off.
id=
for arg; do
	shift
	case $arg in
	"--id='"*"'")
		id=${arg#"--id='"}
		set -- "$@" "--id=${id%"'"}"
		;;
	*) set -- "$@" "$arg" ;;
	esac
done
cd "${TMPDIR:-/tmp}" # where boot writes the pipeline's options
exec "$BOOT" --semi_persist_dir "${TMPDIR:-/tmp}" "$@"
