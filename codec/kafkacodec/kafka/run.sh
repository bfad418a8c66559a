#!/usr/bin/env bash
# Starts Kafka in KRaft mode on loopback, runs the tests that produce to it and consume from it, and stops it. Kafka comes
# from Maven, into the folder given, where it keeps its data and kafka.log too. It needs java and mvn.
#
#	run.sh FOLDER
set -euo pipefail

fail() {
	echo "kafka: $1" >&2
	exit 1
}

[ $# = 1 ] || fail "usage: run.sh FOLDER"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../../.."
port=${KAFKAPORT:-19092} # and the next one, for the controller

if ! ls "$folder"/lib/kafka_2.13-*.jar > /dev/null 2>&1; then
	mvn -q -B -f codec/kafkacodec/kafka/pom.xml dependency:copy-dependencies "-DoutputDirectory=$folder/lib" ||
		fail "Maven cannot fetch it"
fi
listening() { (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }
listening "$port" && fail "port $port is in use: KAFKAPORT names another"

rm -rf "$folder/data"
cat > "$folder/server.properties" <<-EOF
	process.roles=broker,controller
	node.id=1
	controller.quorum.voters=1@127.0.0.1:$((port + 1))
	listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$((port + 1))
	advertised.listeners=PLAINTEXT://127.0.0.1:$port
	controller.listener.names=CONTROLLER
	inter.broker.listener.name=PLAINTEXT
	listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
	log.dirs=$folder/data
	offsets.topic.replication.factor=1
	transaction.state.log.replication.factor=1
	transaction.state.log.min.isr=1
	group.initial.rebalance.delay.ms=0
EOF
java=(java -Xmx512m -cp "$folder/lib/*" -Dorg.slf4j.simpleLogger.defaultLogLevel=warn)
id=$("${java[@]}" kafka.tools.StorageTool random-uuid 2> "$folder/kafka.log" | tail -1)
"${java[@]}" kafka.tools.StorageTool format -t "$id" -c "$folder/server.properties" >> "$folder/kafka.log" 2>&1 ||
	fail "the storage cannot be formatted: $folder/kafka.log says why"

"${java[@]}" kafka.Kafka "$folder/server.properties" >> "$folder/kafka.log" 2>&1 &
kafka=$!
stop() {
	kill "$kafka" 2> /dev/null || true
	wait "$kafka" 2> /dev/null || true
}
trap stop EXIT
seconds=$SECONDS
until listening "$port"; do
	kill -0 "$kafka" 2> /dev/null || fail "it has ended: $folder/kafka.log says why"
	[ $((SECONDS - seconds)) -lt 120 ] || fail "it does not listen after two minutes: $folder/kafka.log says why"
	sleep 0.5
done
echo "kafka: up after $((SECONDS - seconds)) s, at 127.0.0.1:$port"
PROTEAN_KAFKA=127.0.0.1:$port go test -count 1 -v -run 'RealKafka$' ./codec/kafkacodec ./cmd/protean
