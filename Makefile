# Everything here needs Go alone, but for conformance, typescript, charts and peers-js, which need npm, and kafka, which
# needs Java and Maven; the tools are built from tools/go.mod into .bin/.

# The command's tests come first: they wait for much, and others can run meanwhile.
# All modules in go.work but the command's, whose folders are as their paths.
MODULES   := cmd/proteanfix codec/kafkacodec examples/consumer gojapb infer lint records stress
PACKAGES  := ./cmd/protean/... ./... $(MODULES:%=./%/...)
BENCHARGS ?= --payloads medium
FUZZTIME  ?= 2000x
# The releases of Go that Protean supports, the newest first: .ci/run tests both.
RELEASES  := go1.27.3 go1.26.8
# One for all tests: with another, Go does not take what is in its cache.
TIMEOUT   := -timeout 15m
BIN       := $(CURDIR)/.bin

# They are not in go.work: what they link would change the versions of the peers that the
# lab measures.
CONFORMANCE := cd conformance && export GOWORK=off &&
BENCHMARKS  := cd benchmarks && export GOWORK=off &&
BEAM        := cd beam && export GOWORK=off &&
# It has a go.work of its own.
BUFPLUGIN   := cd lint/buf-plugin-protean && unset GOWORK &&

# The modules for services and their example, which are not in go.work for the same reason. $(call services,COMMAND)
# runs a command in each.
SERVICES := codec/grpccodec codec/connectcodec codec/gatewaycodec examples/service
services  = @set -e; export GOWORK=off; for m in $(SERVICES); do echo "$$m: $(1)"; (cd $$m && $(1)); done

# With the tag, Envoy's module has vtprotobuf's code. A -tags of the go command takes the place of the one in GOFLAGS.
comma  := ,
VTTAGS := -tags vtprotobuf$(patsubst -tags=%,$(comma)%,$(filter -tags=%,$(GOFLAGS)))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: bench
bench: ## measure the suite hidden-cost (BENCHARGS='…' for other flags of protean bench)
	@go run ./cmd/protean bench $(BENCHARGS)

# What the README compares; the results go through a file so that the table and the picture are of one run.
OVERVIEW   := Concrete (proto),Concrete (vtproto),Concrete (protean),hyperpb (proto),Concrete (JSON),google.protobuf.Value (proto)
READMETIME ?= 60s

.PHONY: readme
readme: ## measure the table and the picture of the README anew, on a quiet machine (READMETIME=20s for less)
	@mkdir -p $(BIN) && go build -o $(BIN)/protean ./cmd/protean
	@$(BIN)/protean bench --payloads medium --ops marshal,unmarshal --variants '$(OVERVIEW)' --time $(READMETIME) \
		--format json > $(BIN)/readme.json
	@$(BIN)/protean report $(BIN)/readme.json --svg docs/overview.svg --update README.md

.PHONY: test
test: ## run all tests
	go test $(TIMEOUT) $(PACKAGES)
	$(CONFORMANCE) go test $(TIMEOUT) ./...
	$(BENCHMARKS) go test $(VTTAGS) $(TIMEOUT) ./...
	$(BEAM) go test $(TIMEOUT) ./...
	$(BUFPLUGIN) go test $(TIMEOUT) ./...
	$(call services,go test $(TIMEOUT) ./...)

.PHONY: quick
quick: ## run the tests of all modules but those that build benchmark programs, and fewer random rounds
	go test -short $(TIMEOUT) $(PACKAGES)
	$(CONFORMANCE) go test -short $(TIMEOUT) ./...
	$(BENCHMARKS) go test -short $(VTTAGS) $(TIMEOUT) ./...
	$(BUFPLUGIN) go test -short $(TIMEOUT) ./...
	$(call services,go test -short $(TIMEOUT) ./...)

.PHONY: releases
releases: ## list the releases of Go that are supported
	@echo $(RELEASES)

# go vet has looked at all of it in make lint. -short leaves out rounds of random messages, in which nothing is concurrent.
.PHONY: race
race: ## run the tests of all modules under the race detector
	go test -race -short -vet=off $(TIMEOUT) $(PACKAGES)
	$(CONFORMANCE) go test -race -short -vet=off $(TIMEOUT) ./...
	$(BENCHMARKS) go test -race -short -vet=off $(VTTAGS) $(TIMEOUT) ./...
	$(call services,go test -race -short -vet=off $(TIMEOUT) ./...)

.PHONY: portable
portable: ## run the codecs' tests with purego and with protolegacy, and look at their code for other processors
	go test -tags purego -short $(TIMEOUT) ./proto ./protojson ./value ./dynamic
	go test -tags protolegacy -short $(TIMEOUT) ./dynamic
	@set -e; for arch in arm64 s390x; do echo "vet $$arch"; GOOS=linux GOARCH=$$arch go vet ./internal/... ./proto ./dynamic; done

# With -l nothing is inlined, and variables that otherwise stay on the stack move to the heap; checkptr checks conversions
# of unsafe.Pointer. -short leaves out what only takes longer.
.PHONY: unoptimised
unoptimised: ## run the runtime's tests compiled without inlining, and with checkptr
	go test -gcflags='all=-l -d=checkptr' -vet=off -short $(TIMEOUT) ./...

# What depends on the processor most; the rest of the tests takes too long where each instruction is emulated.
EMULATED := ./internal/arena ./internal/layout ./internal/swissmap ./internal/utf ./internal/wire ./internal/xunsafe ./dynamic

.PHONY: platforms
platforms: ## run the runtime's tests on 386 and, where qemu-user is installed, on arm64
	GOARCH=386 go test -vet=off -short $(TIMEOUT) ./...
	@if test "$$(go env GOHOSTARCH)" = arm64; then echo "arm64 is what this machine is"; \
	elif command -v qemu-aarch64 > /dev/null; then set -x; \
		GOARCH=arm64 go test -exec qemu-aarch64 -vet=off -short $(TIMEOUT) $(EMULATED); \
	else echo "arm64 is left out: qemu-aarch64 (Debian: qemu-user) is not installed"; fi

# How long each of the twelve runs takes. A clean short run is weak evidence: give it ten minutes after changes to memory.
STRESSTIME ?= 5s

.PHONY: stress
stress: ## look for corrupted memory under load (STRESSTIME=10m for more than a glance)
	@mkdir -p $(BIN) && go build -o $(BIN)/stress ./stress
	@set -e; for procs in 1 2 4; do for parts in faults changes messages,roots,gc,stacks trees,json,scripts,gc,stacks; do \
		echo "stress: GOMAXPROCS $$procs, $$parts"; \
		GODEBUG=clobberfree=1 GOGC=10 GOMAXPROCS=$$procs $(BIN)/stress -time $(STRESSTIME) -parts $$parts; \
	done; done

# Built once for all targets of a package. What a target finds of interest stays in this
# checkout, not in Go's cache: it is run again before anything new, and counts as executions,
# so that on a machine where much has run there would be little else.
.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME
	@set -e; for dir in $$(git grep -l --untracked '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u); do \
		mkdir -p $(BIN)/fuzz/$$dir; go test -c -trimpath -fuzz . -o $(BIN)/fuzz/$$dir/fuzz.test ./$$dir; \
		for target in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' $$dir/*_test.go | cut -d' ' -f2); do \
			echo "fuzz $$dir $$target"; \
			(cd $$dir && $(BIN)/fuzz/$$dir/fuzz.test -test.run '^$$' -test.fuzz "^$$target$$" -test.fuzztime $(FUZZTIME) \
				-test.fuzzminimizetime 20x -test.parallel 2 -test.fuzzcachedir $(BIN)/fuzz/$$dir); \
		done; \
	done

.PHONY: lint
lint: $(BIN)/staticcheck ## check formatting, go vet and staticcheck
	@test -z "$$(gofmt -l .)" || { echo "not gofmt-ed:"; gofmt -l .; exit 1; }
	go vet $(PACKAGES)
	cd tools && GOWORK=off go vet ./...
	$(BIN)/staticcheck $(PACKAGES)
	$(CONFORMANCE) go vet ./... && $(BIN)/staticcheck ./...
	$(BENCHMARKS) go vet ./... && $(BIN)/staticcheck ./...
	$(BEAM) go vet ./... && $(BIN)/staticcheck ./...
	$(BUFPLUGIN) go vet ./... && $(BIN)/staticcheck ./...
	$(call services,go vet ./... && $(BIN)/staticcheck ./...)

.PHONY: lintfix
lintfix: ## format all Go files
	gofmt -w .

# The tag lets the generator accept message sets; its output does not depend on it.
TESTPB := cd tools && GOWORK=off go run -tags protolegacy ./testpb

# The packages of the command whose tests hold files against what is generated.
GOLDEN := ./internal/harness ./internal/gostruct ./internal/suite ./internal/report ./internal/compare ./internal/jstypes ./internal/inspect ./internal/migrate ./internal/lint

.PHONY: generate
generate: ## write the generated files anew
	-cd cmd/protean && go test $(GOLDEN) -update
	$(TESTPB) $(CURDIR)
	$(MAKE) checkgenerate

.PHONY: checkgenerate
checkgenerate: ## check that generated files are up to date
	cd cmd/protean && go test $(TIMEOUT) $(GOLDEN)
	$(TESTPB) -check $(CURDIR)

# What the runtime writes and allocates depends on the code and on the release of Go, but not
# on the machine: each release that is supported has a baseline of its own. Bytes differ a
# little from run to run, where a Go map is ranged over or room is made by what was needed
# before.
BASELINES   := cmd/protean/testdata/baseline
RELEASE      = $(shell go env GOVERSION | grep -oE '^go1\.[0-9]+')
COUNTOPS    := size,marshal,unmarshal,construct,construct+marshal,convert,unmarshal+convert
COUNTOPS    := $(COUNTOPS),pack,envelope-marshal,envelope-unmarshal,unpack
COUNTARGS   := --suite hidden-cost --variants protean --ops $(COUNTOPS) --time 0 --format bench
COUNTLIMITS := --metrics allocs,bytes,wire --fail-above 0%,bytes=2% --strict

.PHONY: baseline
baseline: ## count the runtime's sizes and allocations anew, for this release of Go
	go run ./cmd/protean bench $(COUNTARGS) --out $(BASELINES)/$(RELEASE).txt

.PHONY: checkbaseline
checkbaseline: ## check that the runtime's sizes and allocations have not grown
	@mkdir -p $(BIN)
	@test -f $(BASELINES)/$(RELEASE).txt || { echo "no $(BASELINES)/$(RELEASE).txt: make baseline"; exit 1; }
	go run ./cmd/protean bench $(COUNTARGS) --out $(BIN)/counts.txt
	go run ./cmd/protean compare $(BASELINES)/$(RELEASE).txt $(BIN)/counts.txt $(COUNTLIMITS) || \
		{ echo "if that is meant: make baseline"; exit 1; }

.PHONY: charts
charts: ## bundle the chart library of the HTML report anew (needs npm)
	@mkdir -p $(BIN)/charts && cp tools/charts/* $(BIN)/charts
	cd $(BIN)/charts && npm ci --silent --no-audit --no-fund && node build.mjs $(CURDIR)/cmd/protean/internal/report/html/charts.min.js

.PHONY: pictures
pictures: ## take pictures of the HTML report in Chromium, into .bin/pictures (DEPICT=FILE.json for your own)
	@mkdir -p $(BIN)/pictures
	cd cmd/protean && go test ./internal/report -count 1 -run TestPage -pictures $(BIN)/pictures -depict '$(if $(DEPICT),$(abspath $(DEPICT)))'

.PHONY: tidy
tidy: ## check that go.mod and go.sum list what is needed
	@set -e; for m in . tools conformance benchmarks beam $(SERVICES); do echo "tidy $$m"; (cd $$m && GOWORK=off go mod tidy -diff); done
	@set -e; mkdir -p $(BIN); for m in cmd/protean lint/buf-plugin-protean $(MODULES); do \
		echo "tidy $$m"; # which needs the modules of the repository as they are here, not as they were released \
		cp $$m/go.mod $(BIN)/tidy.mod; cp $$m/go.sum $(BIN)/tidy.sum; \
		go mod edit -replace github.com/protean-pb/protean=$(CURDIR) $(BIN)/tidy.mod; \
		for r in $(MODULES); do \
			go mod edit -replace github.com/protean-pb/protean/$$r=$(CURDIR)/$$r $(BIN)/tidy.mod; \
		done; \
		(cd $$m && GOWORK=off go mod tidy -diff -modfile=$(BIN)/tidy.mod); \
	done

.PHONY: services
services: ## run the example of a service, in grpc-go and connect-go, and print what each codec costs (docs/services.md)
	@cd examples/service && GOWORK=off go run .

# LOADARGS are flags of the program, which go run ./load -h lists in examples/service.
LOADARGS ?=

.PHONY: load
load: ## measure what calls cost in grpc-go and connect-go, with the official codec and ours (docs/services.md)
	@cd examples/service && GOWORK=off go run ./load $(LOADARGS)

# How many calls each of the three servers gets, a million together: some 25 minutes on two cores. Another seed makes
# other calls.
SOAKCALLS ?= 334000
SOAKSEED  ?= 1

.PHONY: soak
soak: ## make SOAKCALLS calls to each of three servers under the race detector, many of them cancelled, corrupt or too large
	cd examples/service && GOWORK=off go test -race -count 1 -timeout 24h -run TestSoak ./load \
		-soak.calls $(SOAKCALLS) -soak.seed $(SOAKSEED)

.PHONY: peers-js
peers-js: ## fetch what JavaScript has for Protobuf from npm, as peers in the suite script
	@mkdir -p $(BIN)/peers-js && cp cmd/protean/internal/script/peers/* $(BIN)/peers-js
	@cd $(BIN)/peers-js && npm ci --ignore-scripts --no-audit --no-fund --silent && npm run --silent build

.PHONY: beam-portable
beam-portable: ## infer by a portable runner of Beam, ENDPOINT=HOST:PORT or prism in a process (beam/portable)
	@beam/portable/run.sh $(BIN)/beam-portable

.PHONY: inferred
inferred: ## from samples to a working service: infer, generate, serve and call (examples/inferred)
	@examples/inferred/run.sh $(BIN)/inferred

# The data on which protean infer is evaluated.
INFERDATA := $(BIN)/infer-evaluation
# simdjson's files are in a Go module; go mod download says where.
SIMDJSON  := github.com/minio/simdjson-go@v0.4.5
OCTOKIT   := $(INFERDATA)/octokit/package/api.github.com/index.json

.PHONY: infer-evaluation
infer-evaluation: ## evaluate protean infer on published data, which npm, pip and go fetch (docs/infer.md)
	@mkdir -p $(INFERDATA)/octokit $(INFERDATA)/vega $(INFERDATA)/botocore
	@cd $(INFERDATA) && npm pack --silent @octokit/webhooks-examples@7.6.1 vega-datasets@3.2.1 > /dev/null && \
		tar -xzf octokit-webhooks-examples-7.6.1.tgz -C octokit && tar -xzf vega-datasets-3.2.1.tgz -C vega
	@cd $(INFERDATA) && pip download --quiet --no-deps botocore==1.44.8 && unzip -q -o botocore-*.whl 'botocore/data/*' -d botocore
	@simdjson=$$(go mod download -json $(SIMDJSON) | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/testdata && \
		go run ./infer/evaluate botocore=$(INFERDATA)/botocore/botocore/data octokit=$(OCTOKIT) \
		files=$(INFERDATA)/vega/package/data files=$$simdjson \
		quicktype=$(OCTOKIT)$$(printf ",$$simdjson/%s.json.zst" citm_catalog github_events update-center gsoc-2018)

.PHONY: conformance
conformance: ## run the official conformance runner against the runtime (conformance/run.sh)
	@conformance/run.sh $(BIN)/conformance

.PHONY: kafka
kafka: ## start a real Kafka from Maven, produce to it, consume from it, and stop it (needs java and mvn)
	@codec/kafkacodec/kafka/run.sh $(BIN)/kafka

# The TypeScript compiler, in JavaScript, which runs wherever node does.
TYPESCRIPT := typescript@5.9.3

.PHONY: typescript
typescript: ## fetch the TypeScript compiler with npm: with it, the tests compile what protean js-types writes
	@mkdir -p $(BIN)/typescript && cd $(BIN)/typescript && npm pack --silent $(TYPESCRIPT) && tar -xzf $(subst @,-,$(TYPESCRIPT)).tgz

# The two alternate, so that a machine that drifts drifts for both.
AGREE    := $(BIN)/agreement
AGREEOPS := --payloads medium --variants 'Concrete (proto),Concrete (vtproto),Concrete (JSON),google.protobuf.Value (proto)' --ops marshal,unmarshal

.PHONY: agreement
agreement: ## hold the lab's figures against go test -bench (docs/measurement.md)
	@rm -rf $(AGREE) && mkdir -p $(AGREE)
	@set -e; for i in 1 2 3 4 5; do echo "turn $$i of 5"; \
		go run ./cmd/protean bench $(AGREEOPS) --time 10s --precision 0.1% --format bench --keep $(AGREE)/program --out $(AGREE)/$$i.txt; \
		cat $(AGREE)/$$i.txt >> $(AGREE)/lab.txt; \
		(cd $(AGREE)/program && GOWORK=off go test -bench . -cpu 1 -benchtime 8ms -count 80 >> ../gotest.txt); \
	done
	@cd tools && GOWORK=off go run ./agreement $(AGREE)/lab.txt $(AGREE)/gotest.txt

RUNS ?= 15

.PHONY: performance
performance: ## measure the runtime against the official library (docs/performance.md)
	@mkdir -p $(BIN) && rm -f $(BIN)/performance.txt && go test -c -o $(BIN)/value.test ./value
	@cd value && for i in $$(seq $(RUNS)); do \
		$(BIN)/value.test -test.run '^$$' -test.bench . -test.benchtime 10ms -test.cpu 1 >> $(BIN)/performance.txt || exit 1; done
	@cd tools && GOWORK=off go run ./speedup $(BIN)/performance.txt

# What is measured on each message of a published type, and for how long in each mode: JOBS=all and MODES=all for
# everything, .bin/benchmarks -list for their names. Results stay in .bin/published.json.
JOBS     ?= marshal,unmarshal
MODES    ?= gc-off,gc-on
TYPETIME ?= 1s

.PHONY: ratios published
ratios: ## measure the runtime on messages of published types, then on the lab's payloads (make published, make payloads)
	@$(MAKE) --no-print-directory published
	@$(MAKE) --no-print-directory payloads

published: ## measure the runtime on messages of published types (JOBS, MODES and TYPETIME; benchmarks/)
	@mkdir -p $(BIN)
	@$(BENCHMARKS) go build $(VTTAGS) -o $(BIN)/benchmarks .
	@$(BIN)/benchmarks -jobs $(JOBS) -modes $(MODES) -time $(TYPETIME) -out $(BIN)/published.json

# The payloads on which packages proto and protojson are measured: the suite hidden-cost and the schemas of the lab's
# tests. Some rivals fail on some of them, which is exit code 1.
SCHEMAS   := cmd/protean/internal/suite/testdata/schemas
CODECTIME ?= 20s

.PHONY: payloads jsonratios
payloads: ## measure package proto against its rivals on the lab's payloads (docs/performance.md)
payloads: RATIOS   := wire
payloads: BASELINE := Concrete (proto)
payloads: OPS      := marshal,unmarshal
payloads: CODECS   := Concrete (proto),Concrete (vtproto),Concrete (vtproto, unsafe),Concrete (protean),Concrete (protean, aliased),google.protobuf.Value (proto),Value (protean proto),google.protobuf.Any (proto),Any (protean),dynamicpb (proto),dynamic (protean),hyperpb (proto)

jsonratios: ## measure package protojson against its rivals on the same payloads (docs/performance.md)
jsonratios: RATIOS   := json
jsonratios: BASELINE := Concrete (JSONProto)
jsonratios: OPS      := marshal,unmarshal,construct,convert
jsonratios: CODECS   := Concrete (JSON),Concrete (JSONv2),Concrete (JSONProto),Concrete (JSONProto, protean),google.protobuf.Value (JSONProto),Value (protean JSONProto),google.protobuf.Any (JSONProto),Any (JSONProto, protean),dynamicpb (JSONProto),dynamic (JSONProto, protean)

# With CLOCK=gotest it is go test -bench that measures, in the programs that protean bench --keep leaves:
# the fastest tenth of SAMPLES samples of 8 ms.
CLOCK   ?= lab
SAMPLES ?= 60
RESULTS := $(if $(filter gotest,$(CLOCK)),txt,json)

payloads jsonratios:
	@mkdir -p $(BIN) && rm -rf $(BIN)/$@-*
	@go build -o $(BIN)/protean ./cmd/protean
	@set -e; \
	run() { $(BIN)/protean bench --ops $(OPS) --variants '$(CODECS)' --baseline '$(BASELINE)' "$$@" || test $$? = 1; }; \
	lab() { out=$(BIN)/$@-$$1.json; shift; run --time $(CODECTIME) --format json --out $$out "$$@"; }; \
	gotest() { dir=$(BIN)/$@-$$1; shift; run --time 0 --keep $$dir --out $$dir.table "$$@"; \
		for d in $$dir $$dir/apart; do if test -d $$d; then (cd $$d; GOWORK=off go test -c -o bench.test .; \
			for i in 1 2 3 4 5 6; do ./bench.test -test.run '^$$' -test.bench . -test.cpu 1 -test.benchtime 8ms -test.count $$(($(SAMPLES)/6)) >> $$dir.txt; done); fi; done; }; \
	for p in small medium large; do $(CLOCK) $$p --payloads $$p; done; \
	$(CLOCK) orders --proto $(SCHEMAS)/orders/proto/shop/orders/v1/order.proto -I $(SCHEMAS)/orders/proto --message Order --data $(SCHEMAS)/orders/orders.jsonl; \
	$(CLOCK) telemetry --proto $(SCHEMAS)/telemetry/telemetry.proto --message Report --data $(SCHEMAS)/telemetry/telemetry.delim; \
	$(CLOCK) flags --proto $(SCHEMAS)/flags/flags.proto --data $(SCHEMAS)/flags/flags.jsonl; \
	$(CLOCK) wide --proto $(SCHEMAS)/wide/wide.proto --data $(SCHEMAS)/wide/rows.json
	@cd tools && GOWORK=off go run ./ratios $(RATIOS) $(foreach p,small medium large orders telemetry flags wide,$(BIN)/$@-$p.$(RESULTS))

.PHONY: twice
twice: ## run the medium payload twice and check that the runs do not contradict each other
	@mkdir -p $(BIN)
	@for i in 1 2; do go run ./cmd/protean bench --suite hidden-cost --payloads medium --format json --out $(BIN)/twice-$$i.json || exit 1; done
	@cd tools && GOWORK=off go run ./orders $(BIN)/twice-1.json $(BIN)/twice-2.json

PAIRS    ?= 10
PAIRARGS ?= --payloads small --ops marshal,unmarshal --time 8s --variants 'Concrete (proto),Concrete (JSON),Concrete (protean),google.protobuf.Value (proto)'

.PHONY: pairs
pairs: ## run pairs of one program back to back, and count the times that protean compare calls different
	@mkdir -p $(BIN)/pairs && go build -o $(BIN)/pairs/protean ./cmd/protean
	@cd $(BIN)/pairs && for i in $$(seq $(PAIRS)); do \
		for side in old new; do ./protean bench $(PAIRARGS) --format bench --out $$side-$$i.txt || exit 1; done; \
		./protean compare old-$$i.txt new-$$i.txt --metrics time --format json --out pair-$$i.json || exit 1; \
	done; \
	echo "$$(cat pair-*.json | grep -cE '"verdict":"(worse|better)"') of $$(cat pair-*.json | grep -c '"verdict":') times of one program are called different"

$(BIN)/staticcheck: tools/go.mod
	cd tools && GOWORK=off GOBIN=$(BIN) go install tool
	@touch $@
