# Wrappers around `swift build` and `swift test`; `make help` lists them.

SWIFT ?= swift
# SwiftPM passes the flags of traits in the order of a set. If that differs from the last build's, everything is compiled
# again.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build

# The folder of the toolchain's programs. `swift` in PATH may be a link to a toolchain manager such as swiftly, so it is
# asked, once, and only if a target needs the folder.
TOOLCHAIN = $(eval TOOLCHAIN := $$(shell $$(SWIFT) -print-target-info 2>/dev/null \
	| sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin/|p'))$(TOOLCHAIN)

# The tools carry the Swift runtime, so that they run on machines without a toolchain.
HARDENED = -Xcc -fstack-protector-strong -Xcxx -fstack-protector-strong -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
STRIPPED = --disable-local-rpath -Xlinker -s
RELEASE = -c release --static-swift-stdlib $(HARDENED) $(STRIPPED)
TOOLS = aqplay aqrecord aqinfo aqconvert aqlatency
BUILT_TOOLS = $(TOOLS:%=.build/release/%)
AQPLAY = .build/release/aqplay
AQDEMO = .build/release/aqdemo
SOURCES := $(shell find Sources Tests/AQSoundHarness Tests/AQTestSupport Package.swift -type f 2>/dev/null)
FORMATTED = Package.swift Sources Tests $(wildcard Benchmarks)

# The library for C programs shares CoreFoundation's objects with them, and so the toolchain's libraries. They are
# installed beside it, with CoreFoundation's headers: programs need no toolchain. It is built in a folder of its own,
# since changed flags rebuild everything.
LIBRARY_BUILD = .build-library
BUILT_LIBRARY = $(LIBRARY_BUILD)/release/libAudioToolboxC.so
SONAME = libAudioToolbox.so.1
INSTALLATION = Sources/CAQAudioToolbox/installation
# Its threads, and the Swift runtime's tables, outlive a host's `dlclose`, so it is never unloaded.
LIBRARY_FLAGS = -c release --scratch-path $(LIBRARY_BUILD) $(HARDENED) $(STRIPPED) -Xlinker -soname=$(SONAME) \
	-Xlinker --version-script=$(abspath $(INSTALLATION))/libAudioToolbox.map -Xlinker -z -Xlinker nodelete \
	-Xswiftc -no-toolchain-stdlib-rpath -Xlinker -rpath -Xlinker '$$ORIGIN/audiotoolbox'
VERSION = $(shell sed -n 's/.*text = "\(.*\)"/\1/p' Sources/AQToolSupport/PackageVersion.swift)
SWIFT_PREFIX = $(if $(TOOLCHAIN),$(realpath $(TOOLCHAIN)..),$(shell cat $(LIBRARY_BUILD)/toolchain 2>/dev/null))

# Targets that build list missing packages; only those that say so install them.
DEPENDENCIES = $(CURDIR)/dependencies.sh
REQUIRE = @$(DEPENDENCIES) require
INSTALL = @$(DEPENDENCIES) install

# So many tests at once. If all began at once, the time limit of each would run while it waits for the others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 10

# Runs built tests, and repeats at the end what failed and what was skipped.
RUN_TESTS = @SWIFT="$(SWIFT)" Tests/run.sh

.PHONY: all install-deps demo test test-pipewire test-long test-interchange test-radio test-damage test-corpus test-sanitizers \
	fuzz bench bench-build bench-full test-bench test-bench-build docs format lint release-notes clean help

all: $(BUILT_TOOLS) $(BUILT_LIBRARY) ## Build the release tools and the library for C programs (the default)

# The tool itself is the stamp: if nothing is newer, nothing runs.
$(BUILT_TOOLS) $(AQDEMO): .build/release/%: $(SOURCES)
	$(REQUIRE) build
	$(BUILD) $(RELEASE) --product $*
	@touch $@

$(BUILT_LIBRARY): $(SOURCES)
	$(REQUIRE) build
	$(BUILD) $(LIBRARY_FLAGS) --product AudioToolboxC
	@echo "$(SWIFT_PREFIX)" >$(LIBRARY_BUILD)/toolchain
	@touch $@

install-deps: ## Install the libraries that builds need, and a sound server unless there is one
	$(INSTALL) build sound

demo: install-deps ## Play a tune and measure the audio at the sink
	@$(MAKE) --no-print-directory $(AQPLAY) $(AQDEMO)
	@AQ_BIN_DIR=.build/release $(AQDEMO)

# The tests that install the library, or run programs that load it.
LIBRARY_TESTS = InstallationTests|Program\w*Tests|CodeBlockTests

# XCTest is skipped, since its leaks fail the address sanitizer; so are programs without the sanitizer that load the
# library, and the tests that run them.
ENGINE_TESTS = --disable-xctest \
	--filter '(AudioQueues|AQDevices|AQUnits|AudioToolbox|AQGraphs|AQSessions|AVFAudio|AQSystemSounds)Tests' \
	--skip 'Sound(Server)?Tests|$(LIBRARY_TESTS)'

# Sound tests play in real time; those that measure time run three at once (Tests/AQTestTraits).
test: install-deps ## Run the fast tests, then the sound tests against servers of their own
	$(INSTALL) disks tests
	$(BUILD) --build-tests
	$(RUN_TESTS) --skip SoundTests
	$(RUN_TESTS) --awake --filter SoundTests

test-pipewire: export AQ_SOUND_SERVER = pipewire
test-pipewire: ## Run the sound tests against PipeWire instead of PulseAudio
	$(INSTALL) build pipewire sound
	$(BUILD) --build-tests
	$(RUN_TESTS) --awake --filter SoundTests

test-long: export AQ_LONG = 1
test-long: test ## Also run tests that need hours, gigabytes, thousands of repeats or an idle machine

# AQ_INTERCHANGE_TABLE=FILE keeps the measurements, as a Markdown table.
test-interchange: export AQ_INTERCHANGE = 1
test-interchange: export AQ_BIN_DIR = $(abspath .build/release)
test-interchange: ## Exchange files of every type with other programs
	$(INSTALL) build sound interchange
	@$(MAKE) --no-print-directory .build/release/aqconvert .build/release/aqinfo
	$(SWIFT) test --filter 'RoundTripTests|OpusPacketTests'

# The package of Icecast starts a server, so it is only proposed.
test-radio: export AQ_INTERCHANGE = 1
test-radio: export AQ_RADIO_MINUTES = $(or $(MINUTES),2)
test-radio: export AQ_BIN_DIR = $(abspath .build/release)
test-radio: $(BUILT_TOOLS) ## Play stations that fail and return, and HLS: make test-radio [MINUTES=2]
	$(REQUIRE) build sound radio
	$(SWIFT) test --filter 'RadioTests|HLSInterchangeTests'

# FILES=1 SEED=N repeats one.
test-damage: export AQ_DAMAGE = $(or $(FILES),1000)
test-damage: export AQ_DAMAGE_SEED = $(or $(SEED),1)
test-damage: export AQ_BIN_DIR = $(abspath .build/release)
test-damage: .build/release/aqconvert ## Convert damaged files, none silently: make test-damage [FILES=1000] [SEED=1]
	$(INSTALL) interchange
	$(SWIFT) test --filter InterchangeTests.DamageTests

# AQ_CORPUS_TABLE=FILE keeps the result of each file, as a Markdown table.
test-corpus: install-deps ## Check the readers against a folder of real files: make test-corpus DIR=...
	@if [ -z "$(DIR)" ]; then echo "make: say which folder: make test-corpus DIR=..." >&2; exit 64; fi
	$(INSTALL) interchange
	AQ_CORPUS_DIR="$(abspath $(DIR))" $(SWIFT) test --filter CorpusTests

test-sanitizers: export TSAN_OPTIONS = suppressions=$(abspath Tests/thread-sanitizer.supp):allocator_may_return_null=1
test-sanitizers: export ASAN_OPTIONS = allocator_may_return_null=1
# Sanitized code is slow: with more tests at once, calls would reach their time limits.
test-sanitizers: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 2
test-sanitizers: install-deps ## Run the engine's tests under the thread and address sanitizers
	$(SWIFT) test --sanitize=thread --scratch-path .build-tsan $(ENGINE_TESTS)
	$(SWIFT) test --sanitize=address --scratch-path .build-asan $(ENGINE_TESTS)

# SwiftPM leaves `main` to libFuzzer only with this single sanitizer, and the compiler accepts both only together.
# Memory checks are calls: inlined, libFuzzer would count each as a branch of the program, and be half as fast.
fuzz: ## Run the parsers on mutated files for a time: make fuzz SECONDS=600 [RUNS=N] [TARGET=caf]
	$(REQUIRE) build
	AQ_FUZZING=1 $(BUILD) -c release --product aqfuzz --scratch-path .build-fuzz \
		--sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address \
		-Xswiftc -Xllvm -Xswiftc -asan-instrumentation-with-call-threshold=0
	@Tests/Fuzzing/run.sh .build-fuzz/release/aqfuzz \
		$(or $(SECONDS),$(if $(RUNS),0,600)) $(or $(RUNS),0) $(TARGET)

format: ## Format the Swift sources in place
	$(SWIFT) format -i -r $(FORMATTED)

lint: ## Check the format of the Swift sources, the licence line of all sources, and the names of modules
	$(SWIFT) format lint --strict --parallel -r $(FORMATTED)
	.ci/licence-lines
	.ci/module-names

-include Benchmarks/bench.mk
include Packaging/install.mk
-include Packaging/packages.mk

# The folder of the HTML documentation: make docs DOCS=folder.
DOCS ?= .build/documentation
docs: ## Build the documentation, in which a warning is an error
	$(REQUIRE) build
	$(BUILD) --target AudioToolbox
	Sources/AudioToolbox/documentation/build.sh "$(TOOLCHAIN)" .build/debug "$(DOCS)"

release-notes: ## Print the changes of this version, for the page of a release
	@.ci/release-notes $(VERSION)

clean: ## Remove everything that was built
	rm -rf .build .build-tsan .build-asan .build-notraits .build-fuzz .build-bench $(LIBRARY_BUILD) .build-installed \
		$(PACKAGE_BUILD)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
