# The targets of the benchmarks, included by the Makefile of the project.

# Benchmarks are a separate package, so that users of the library do not build them.
BENCH_BUILD = .build-bench
OUT ?= $(BENCH_BUILD)/results
BENCH = $(BENCH_BUILD)/release/bench --tool-dir .build/release $(if $(RESUME),--resume,--out) "$(OUT)"
BENCH_PACKAGES = $$($(MAKE) -s -f Benchmarks/peers.mk bench-packages)

bench-build: $(BUILT_TOOLS)
	$(REQUIRE) build sound $(BENCH_PACKAGES)
	$(MAKE) -f Benchmarks/peers.mk PEERS_DIR=$(BENCH_BUILD)/peers
	$(BUILD) -c release --package-path Benchmarks --scratch-path $(BENCH_BUILD)

bench: bench-build ## Measure beside other libraries for five minutes: make bench OUT=folder
	$(BENCH) --quick

# RESUME=1 resumes the record in OUT: complete measures are not repeated.
bench-full: bench-build ## Measure everything, for 90 minutes, and for 23 on PipeWire where it is installed
	$(BENCH) --full --server pulseaudio$$($(DEPENDENCIES) require pipewire && echo ,pipewire)

BENCH_TESTS = --package-path Benchmarks --scratch-path $(BENCH_BUILD)

# Without the programs that need the classes of AVFoundation, whose build takes longer than everything else here.
test-bench-build: install-deps
	$(BUILD) $(BENCH_TESTS) --product bench
	$(BUILD) $(BENCH_TESTS) --product peer-audioqueue
	$(BUILD) $(BENCH_TESTS) --product AudioQueueBenchmarksPackageTests

test-bench: test-bench-build ## Run the tests of what the benchmarks measure with
	$(SWIFT) test --skip-build $(BENCH_TESTS)
