# Wrappers around `swift build` and `swift test`; `make help` lists them.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=

# Tools carry the Swift runtime with them, and the C++ library and the compiler's that it needs: a tool that plays a
# sound should not spend its first millisecond, and its last megabyte, on loading libraries. With the toolchain's
# linker, what is not used is left out.
TOOLCHAIN := $(dir $(realpath $(shell command -v $(SWIFT) 2>/dev/null)))
STATIC = .build/static
LIBSTDCXX := $(realpath $(shell $(TOOLCHAIN)clang++ -print-file-name=libstdc++.a 2>/dev/null))
RELEASE = -c release --static-swift-stdlib --disable-local-rpath -Xlinker -s \
	-Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	$(if $(wildcard $(TOOLCHAIN)ld.lld),-Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker --as-needed \
		-Xlinker --icf=safe -Xlinker --no-export-dynamic \
		-Xlinker -z -Xlinker pack-relative-relocs) \
	$(if $(LIBSTDCXX),-Xswiftc -L$(abspath $(STATIC)))
TOOLS = aqplay aqrecord aqinfo aqconvert
BUILT_TOOLS = $(TOOLS:%=.build/release/%)
AQPLAY = .build/release/aqplay
AQDEMO = .build/release/aqdemo
SOURCES := $(shell find Sources Tests/SoundHarness Package.swift -type f 2>/dev/null)
FORMATTED = Package.swift Sources Tests $(wildcard Benchmarks)

# What a fresh Debian or Ubuntu lacks: packages, and how to tell that each is there.
PACKAGES = libpulse-dev libsndfile1-dev libmpg123-dev libavcodec-dev libsoxr-dev pkg-config pulseaudio pulseaudio-utils
HAVE_PACKAGES = pkg-config --exists libpulse sndfile libmpg123 libavcodec soxr \
	&& { command -v pulseaudio && command -v pactl && command -v parec && command -v paplay; } >/dev/null

# What root can test besides: a recording that meets a quota, on a disk of its own.
QUOTA_PACKAGES = btrfs-progs
HAVE_QUOTA = { [ "$$(id -u)" -ne 0 ] || command -v mkfs.btrfs >/dev/null; }

# What the tests against PipeWire need besides.
PIPEWIRE_PACKAGES = pipewire pipewire-pulse wireplumber dbus
HAVE_PIPEWIRE = { command -v pipewire && command -v pipewire-pulse && command -v wireplumber \
	&& command -v dbus-run-session; } >/dev/null

# What the tests against other programs need besides.
INTERCHANGE_PACKAGES = ffmpeg lame sox sndfile-programs mpg123
HAVE_INTERCHANGE = { command -v ffmpeg && command -v ffprobe && command -v lame && command -v sox \
	&& command -v sndfile-info && command -v mpg123; } >/dev/null

# Installs packages unless a test finds them: $(call install_unless,TEST,PACKAGES).
define install_unless
if $(1); then :; \
elif ! command -v apt-get >/dev/null; then \
	echo "make: install these packages, or what your system calls them, and try again: $(2)" >&2; \
	exit 1; \
else \
	if [ "$$(id -u)" -eq 0 ]; then as_root=env; \
	elif command -v sudo >/dev/null; then as_root='sudo env'; \
	else echo "make: as root, run: apt-get install $(2)" >&2; exit 1; fi; \
	$$as_root apt-get update -q \
		&& $$as_root DEBIAN_FRONTEND=noninteractive \
			apt-get install -q -y --no-install-recommends $(2); \
fi
endef

.PHONY: all install-deps demo test test-pipewire test-long test-interchange test-corpus test-sanitizers \
	fuzz bench bench-build bench-full test-bench format lint install uninstall clean help

all: $(BUILT_TOOLS) ## Build the release tools (the default)

# The stamp of what was built is the tool itself: when nothing is newer, nothing runs.
$(BUILT_TOOLS) $(AQDEMO): .build/release/%: $(SOURCES) | install-deps $(STATIC)
	$(SWIFT) build $(RELEASE) --product $*
	@touch $@

# A folder that holds nothing but the static library is searched first.
$(STATIC):
	@mkdir -p $@
	@$(if $(LIBSTDCXX),ln -sf $(LIBSTDCXX) $@/)

install-deps: ## Install the libraries and the sound server that builds and tests need
	@$(call install_unless,$(HAVE_PACKAGES),$(PACKAGES))

demo: $(AQPLAY) $(AQDEMO) ## Play a tune and measure the sound that is heard
	@AQ_BIN_DIR=.build/release $(AQDEMO)

# XCTest is left out, since it leaks and the address sanitizer says so.
ENGINE_TESTS = --disable-xctest --filter 'AudioQueuesTests|AudioDevicesTests'

# Sound tests measure time, so nothing else runs beside them.
test: install-deps ## Run the fast tests, then the sound tests against a server of their own
	@$(call install_unless,$(HAVE_QUOTA),$(QUOTA_PACKAGES))
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --skip SoundTests
	$(SWIFT) test --skip-build --no-parallel --filter SoundTests

test-pipewire: export AQ_SOUND_SERVER = pipewire
test-pipewire: install-deps ## Run the sound tests against PipeWire instead of PulseAudio
	@$(call install_unless,$(HAVE_PIPEWIRE),$(PIPEWIRE_PACKAGES))
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --no-parallel --filter SoundTests

test-long: export AQ_LONG = 1
test-long: test ## Run the same tests and what takes hours, gigabytes or thousands of repeats

# AQ_INTERCHANGE_TABLE=FILE keeps what was measured, as a Markdown table.
test-interchange: export AQ_INTERCHANGE = 1
test-interchange: export AQ_BIN_DIR = $(abspath .build/release)
test-interchange: .build/release/aqconvert .build/release/aqinfo ## Exchange files of every kind with other programs
	@$(call install_unless,$(HAVE_INTERCHANGE),$(INTERCHANGE_PACKAGES))
	$(SWIFT) test --filter RoundTripTests

# AQ_CORPUS_TABLE=FILE keeps what each file came to, as a Markdown table.
test-corpus: install-deps ## Check the readers against a folder of real files: make test-corpus DIR=...
	@if [ -z "$(DIR)" ]; then echo "make: say which folder: make test-corpus DIR=..." >&2; exit 64; fi
	@$(call install_unless,$(HAVE_INTERCHANGE),$(INTERCHANGE_PACKAGES))
	AQ_CORPUS_DIR="$(abspath $(DIR))" $(SWIFT) test --filter CorpusTests

test-sanitizers: install-deps ## Run the engine's tests under the thread and address sanitizers
	$(SWIFT) test --sanitize=thread --scratch-path .build-tsan $(ENGINE_TESTS)
	$(SWIFT) test --sanitize=address --scratch-path .build-asan $(ENGINE_TESTS)

# SwiftPM leaves `main` to libFuzzer only if it is told of one sanitizer, and the compiler takes both only at once.
# Checks of memory are calls: among the code itself, libFuzzer would take each for a branch and a comparison of the
# program, and be half as fast.
fuzz: install-deps ## Feed the parsers mutated files for a time: make fuzz SECONDS=600 [RUNS=N] [TARGET=caf]
	AQ_FUZZING=1 $(SWIFT) build -c release --product aqfuzz --scratch-path .build-fuzz \
		--sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address \
		-Xswiftc -Xllvm -Xswiftc -asan-instrumentation-with-call-threshold=0
	@Tests/Fuzzing/run.sh .build-fuzz/release/aqfuzz \
		$(or $(SECONDS),$(if $(RUNS),0,600)) $(or $(RUNS),0) $(TARGET)

format: ## Format the Swift sources in place
	$(SWIFT) format -i -r $(FORMATTED)

lint: ## Check the format of the Swift sources
	$(SWIFT) format lint --strict -r $(FORMATTED)

# A package of its own, so that nobody who uses the library builds it.
BENCH_BUILD = .build-bench
OUT ?= $(BENCH_BUILD)/results
BENCH = $(BENCH_BUILD)/release/bench --tool-dir .build/release $(if $(RESUME),--resume,--out) "$(OUT)"
BENCH_PACKAGES = $$($(MAKE) -s -f Benchmarks/peers.mk bench-packages)

bench-build: install-deps $(BUILT_TOOLS)
	@$(call install_unless,dpkg -s $(BENCH_PACKAGES) >/dev/null 2>&1,$(BENCH_PACKAGES))
	$(MAKE) -f Benchmarks/peers.mk PEERS_DIR=$(BENCH_BUILD)/peers
	$(SWIFT) build -c release --package-path Benchmarks --scratch-path $(BENCH_BUILD)

bench: bench-build ## Measure beside other libraries for five minutes: make bench OUT=folder
	$(BENCH) --quick

# RESUME=1 goes on with the record in OUT: what is complete there is not measured again.
bench-full: bench-build ## Measure everything, for 90 minutes, and for 23 on PipeWire where it is installed
	@if ! $(HAVE_PIPEWIRE); then echo "make: PipeWire is not installed and is left out" >&2; fi
	$(BENCH) --full --server pulseaudio$$(if $(HAVE_PIPEWIRE); then echo ,pipewire; fi)

test-bench: install-deps ## Run the tests of what the benchmarks measure with
	$(SWIFT) test --package-path Benchmarks --scratch-path $(BENCH_BUILD)

install: $(BUILT_TOOLS) ## Install the tools below PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BUILT_TOOLS) $(DESTDIR)$(PREFIX)/bin

uninstall: ## Remove what `make install` installed
	rm -f $(TOOLS:%=$(DESTDIR)$(PREFIX)/bin/%)

clean: ## Remove everything that was built
	rm -rf .build .build-tsan .build-asan .build-notraits .build-fuzz .build-bench

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
