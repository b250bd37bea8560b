# Sealwright's house. Needs Go, make and a C/C++ compiler; every other tool is
# fetched and built by Go at the version named here.

GO        ?= go
BIN       := bin
CACHE     ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/sealwright
FUZZTIME  ?= 10m
BENCH     ?= .
BENCHTIME ?= 1x
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

GOLANGCI_LINT := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.6.0
BUF           := $(GO) run github.com/bufbuild/buf/cmd/buf@v1.59.0

LDFLAGS := -X main.version=$(VERSION)

# One package at a time: the heavy ones use every core by themselves, and no
# test's time then depends on its neighbours.
TEST := $(GO) test -p 1 -timeout 25m

.DEFAULT_GOAL := help
.PHONY: help
help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/sealwright and bin/sealwright-engine-cpu
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN)/sealwright ./host/sealwright
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN)/sealwright-engine-cpu ./plugin/sealwright-engine-cpu

KEYS := $(CACHE)/dev-keys/fpref
RUN  := $(BIN)/run
# The bundled C1 and whose it is.
C1       := host/sealwright/testdata/c1-2k.json
C1_OWNER := --miner f01000 --sector 1

.PHONY: run
run: build ## prove and verify the bundled 2 KiB C1 with a development key
	@mkdir -p '$(RUN)' '$(KEYS)'
	@echo '== 1/3 the development key of porep-2k: about 1.1 GB in $(KEYS), made once, in minutes'
	@$(BIN)/sealwright dev setup --circuit porep-2k --label fpref --params '$(KEYS)'
	@echo '== 2/3 prove $(C1): the host is one process, the engine another'
	@$(BIN)/sealwright prove --c1 $(C1) $(C1_OWNER) --params '$(KEYS)' --dev-key fpref --out '$(RUN)/c1-2k.proof'
	@echo '== 3/3 verify the proof again, from its file'
	@$(BIN)/sealwright verify --proof '$(RUN)/c1-2k.proof' --c1 $(C1) $(C1_OWNER) --params '$(KEYS)' --dev-key fpref

.PHONY: test
test: vet lint ## everything: vet, lint, import rules, all tests with a full 2 KiB proof (up to 25 minutes)
	$(TEST) ./...

.PHONY: test-short
test-short: vet ## the tests that take seconds (under 2 minutes)
	$(GO) test -short -timeout 5m ./...

.PHONY: bench
bench: ## every benchmark; BENCH=regexp, BENCHTIME=1x
	$(GO) test -p 1 -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -benchmem -timeout 2h ./...

# What show-pipeline proves. In seconds: make show-pipeline SHOW_CIRCUIT=wpost-2k SHOW_INPUT='--kind wpost-2k' SHOW_LOG=bin/show.log
SHOW_CIRCUIT ?= porep-2k
SHOW_INPUT   ?= --sector-size 2KiB
SHOW_COUNT   ?= 4
SHOW_LOG     ?= docs/show-pipeline.log

.PHONY: show-pipeline
show-pipeline: build ## memory under budgets for one and three partitions, against none (10 minutes)
	@mkdir -p '$(RUN)' '$(KEYS)'
	@$(BIN)/sealwright dev setup --circuit $(SHOW_CIRCUIT) --label fpref --params '$(KEYS)' > '$(RUN)/setup.log'
	@: > '$(SHOW_LOG)'; status=0; for n in 1 3; do \
		verb="bench $(SHOW_INPUT) --count $(SHOW_COUNT) --concurrency 4 --budget-for $$n --paired --want-use 0.7"; \
		echo "== sealwright $$verb" >> '$(SHOW_LOG)'; \
		$(BIN)/sealwright $$verb --params '$(KEYS)' --dev-key fpref --trace "$(RUN)/pipeline-$$n.json" \
			--csv "$(RUN)/pipeline-$$n.csv" --plot "$(RUN)/pipeline-$$n.svg" >> '$(SHOW_LOG)' || \
			{ status=$$?; echo "it ended with $$status" >> '$(SHOW_LOG)'; }; \
		echo >> '$(SHOW_LOG)'; \
	done; cat '$(SHOW_LOG)'; exit $$status

.PHONY: vet
vet: ## go vet
	$(GO) vet ./...

.PHONY: lint
lint: ## golangci-lint and buf lint
	$(GOLANGCI_LINT) run ./...
	@for dir in $(PROTOS); do echo "buf lint $$dir"; (cd $$dir && $(BUF) lint) || exit 1; done

# The folders with a .proto file; each has its own buf.yaml and buf.gen.yaml.
PROTOS := sdk/enginepb host/cuzkpb host/adminpb

.PHONY: generate
generate: ## write generated code again; leaves no diff
	@for dir in $(PROTOS); do echo "buf generate $$dir"; (cd $$dir && $(BUF) generate) || exit 1; done
	$(GO) generate ./...

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (10m) each
	@$(GO) test -list '^Fuzz' -json ./... | sed -n 's/.*"Package":"\([^"]*\)","Output":"\(Fuzz[A-Za-z0-9_]*\)\\n".*/\1 \2/p' | \
	while read -r package target; do \
		echo "fuzz $$package $$target for $(FUZZTIME)"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package" || exit 1; \
	done

.PHONY: clean
clean: ## remove bin (development keys in the user's cache stay)
	rm -rf $(BIN)
