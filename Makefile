# Wrappers around `swift build` and `swift test`; `make help` lists them.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=

# The folder of the toolchain's programs. `swift` in PATH may be a link to what manages toolchains, as swiftly is, so it
# is asked: once, and only when somebody wants to know.
TOOLCHAIN = $(eval TOOLCHAIN := $$(shell $$(SWIFT) -print-target-info 2>/dev/null \
	| sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin/|p'))$(TOOLCHAIN)

# Tools carry the Swift runtime with them, and the C++ library and the compiler's that it needs: a tool that plays a
# sound should not spend its first millisecond, and its last megabyte, on loading libraries. With the toolchain's
# linker, what is not used is left out.
LIBSTDCXX = $(eval LIBSTDCXX := \
	$$(realpath $$(shell $$(TOOLCHAIN)clang++ -print-file-name=libstdc++.a 2>/dev/null)))$(LIBSTDCXX)
STATIC = .build/static
# Generic types are put together by calls that the compiler makes, and not from their names, which the runtime would
# have to take apart: half a millisecond of a tool's start.
QUICK = -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# What a player runs from its start on lies together, for which each function has to be one of its own to the linker.
QUICK += -Xswiftc -Xfrontend -Xswiftc -function-sections
STARTUP_ORDER = Sources/aqplay/linking/startup.order
# A program that lies anywhere in memory has 22,000 addresses written into 66 of its pages at each start: a third of a
# millisecond. The tools lie at one place, which is drawn when they are built, so that a file that is made to break a
# player cannot know it. IMAGE_BASE=pie has the system draw one at each start, for builds that many people share.
IMAGE_BASE = $(eval IMAGE_BASE := $$(shell mkdir -p .build; cat .build/image-base 2>/dev/null || \
	printf '0x%x' $$$$(((0x10000 + $$$$(od -An -N4 -tu4 /dev/urandom) % 0x3f0000) << 16)) | tee .build/image-base))$(IMAGE_BASE)
STRIPPED = -s
SMALL = --disable-local-rpath -Xlinker $(STRIPPED) \
	$(if $(wildcard $(TOOLCHAIN)ld.lld),-Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker --as-needed \
		-Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs)
RELEASE = -c release --static-swift-stdlib $(SMALL) $(QUICK) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	$(if $(wildcard $(TOOLCHAIN)ld.lld),-Xlinker --no-export-dynamic \
		-Xlinker --symbol-ordering-file=$(abspath $(STARTUP_ORDER)) -Xlinker --no-warn-symbol-ordering \
		$(if $(filter-out pie,$(IMAGE_BASE)),-Xlinker --no-pie -Xlinker --image-base=$(IMAGE_BASE))) \
	$(if $(LIBSTDCXX),-Xswiftc -L$(abspath $(STATIC)))
TOOLS = aqplay aqrecord aqinfo aqconvert
BUILT_TOOLS = $(TOOLS:%=.build/release/%)
AQPLAY = .build/release/aqplay
AQDEMO = .build/release/aqdemo
SOURCES := $(shell find Sources Tests/SoundHarness Package.swift -type f 2>/dev/null)
FORMATTED = Package.swift Sources Tests $(wildcard Benchmarks)

# The library for C programs shares the objects of CoreFoundation with them, and so the toolchain's libraries. It is
# built in a folder of its own, since flags that change build everything anew. LIBRARY=FILE installs another build.
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
# Nobody else's: it is removed whole.
HEADERS_DIR = $(INCLUDEDIR)/audiotoolbox
LIBRARY_BUILD = .build-library
BUILT_LIBRARY = $(LIBRARY_BUILD)/release/libAudioToolboxC.so
LIBRARY ?= $(BUILT_LIBRARY)
SONAME = libAudioToolbox.so.1
INSTALLATION = Sources/CAudioToolbox/installation
LIBRARY_FLAGS = -c release --scratch-path $(LIBRARY_BUILD) $(SMALL) -Xlinker -soname=$(SONAME) \
	-Xlinker --version-script=$(abspath $(INSTALLATION))/libAudioToolbox.map
HEADERS = $(wildcard $(addprefix Sources/C*/,$(addsuffix /*.h,include/AudioToolbox include/CoreAudio \
	include/CoreAudioTypes portable portable/CoreFoundation portable/CoreServices)))
VERSION = $(shell sed -n 's/.*text = "\(.*\)"/\1/p' Sources/ToolSupport/PackageVersion.swift)
# `sudo make install` may have no swift in its PATH.
SWIFT_PREFIX = $(if $(TOOLCHAIN),$(realpath $(TOOLCHAIN)..),$(shell cat $(LIBRARY_BUILD)/toolchain 2>/dev/null))

# What a fresh Debian or Ubuntu lacks: packages, and how to tell that each is there.
PACKAGES = libpulse-dev libsndfile1-dev libmpg123-dev libavcodec-dev libsoxr-dev libsoundtouch-dev pkg-config \
	pulseaudio pulseaudio-utils
HAVE_PACKAGES = pkg-config --exists libpulse sndfile libmpg123 libavcodec soxr soundtouch \
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

# Runs the built tests, and says at the end once more what failed, behind thousands of lines: $(call run_tests,ARGUMENTS).
define run_tests
@log=$$(mktemp); status=$$log.status; echo 1 >$$status; \
{ $(SWIFT) test --skip-build $(1) 2>&1; echo $$? >$$status; } | tee $$log; \
result=$$(cat $$status); if [ $$result -ne 0 ]; then \
	printf '\nWhat failed:\n'; grep -a '✘' $$log || tail -n 20 $$log; \
fi; \
rm -f $$log $$status; exit $$result
endef

.PHONY: all install-deps demo test test-pipewire test-long test-interchange test-corpus test-sanitizers \
	fuzz bench bench-build bench-full test-bench docs format lint startup-order install install-tools install-library \
	uninstall clean help

all: $(BUILT_TOOLS) $(BUILT_LIBRARY) ## Build the release tools and the library for C programs (the default)

# The stamp of what was built is the tool itself: when nothing is newer, nothing runs.
$(BUILT_TOOLS) $(AQDEMO): .build/release/%: $(SOURCES) | install-deps $(STATIC)
	$(SWIFT) build $(RELEASE) --product $*
	@touch $@

$(BUILT_LIBRARY): $(SOURCES) | install-deps
	$(SWIFT) build $(LIBRARY_FLAGS) --product AudioToolboxC
	@echo "$(SWIFT_PREFIX)" >$(LIBRARY_BUILD)/toolchain
	@touch $@

# A folder that holds nothing but the static library is searched first.
$(STATIC):
	@mkdir -p $@
	@$(if $(LIBSTDCXX),ln -sf $(LIBSTDCXX) $@/)

install-deps: ## Install the libraries and the sound server that builds and tests need
	@$(call install_unless,$(HAVE_PACKAGES),$(PACKAGES))

demo: $(AQPLAY) $(AQDEMO) ## Play a tune and measure the sound that is heard
	@AQ_BIN_DIR=.build/release $(AQDEMO)

# XCTest is left out, since it leaks and the address sanitizer says so; so are programs without the sanitizer that load
# the library, and what runs them.
ENGINE_TESTS = --disable-xctest --filter 'AudioQueuesTests|AudioDevicesTests|AudioToolboxTests' \
	--skip 'SoundTests|InstallationTests|ProgramCompilationTests|ProgramFileTests'

# Sound tests measure time, so nothing else runs beside them.
test: install-deps ## Run the fast tests, then the sound tests against a server of their own
	@$(call install_unless,$(HAVE_QUOTA),$(QUOTA_PACKAGES))
	$(SWIFT) build --build-tests
	$(call run_tests,--skip SoundTests)
	$(call run_tests,--no-parallel --filter SoundTests)

test-pipewire: export AQ_SOUND_SERVER = pipewire
test-pipewire: install-deps ## Run the sound tests against PipeWire instead of PulseAudio
	@$(call install_unless,$(HAVE_PIPEWIRE),$(PIPEWIRE_PACKAGES))
	$(SWIFT) build --build-tests
	$(call run_tests,--no-parallel --filter SoundTests)

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

test-sanitizers: export TSAN_OPTIONS = suppressions=$(abspath Tests/thread-sanitizer.supp)
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

startup-order: install-deps $(STATIC) ## Find anew which functions the tools are to begin with
	@$(call install_unless,command -v valgrind >/dev/null,valgrind)
	$(SWIFT) build $(RELEASE) --product aqplay
	Sources/aqplay/linking/record-startup.sh .build/release/aqplay Fixtures/tune.wav Fixtures/tune-cbr.mp3 \
		>$(STARTUP_ORDER).new
	mv $(STARTUP_ORDER).new $(STARTUP_ORDER)
	@rm -f $(BUILT_TOOLS)
startup-order: STRIPPED = --strip-debug

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

# Where the catalogue's HTML goes: make docs DOCS=folder.
DOCS ?= .build/documentation
docs: install-deps ## Build the documentation, in which a warning is an error
	$(SWIFT) build --target AudioToolbox
	Sources/AudioToolbox/documentation/build.sh "$(TOOLCHAIN)" .build/debug "$(DOCS)"

install: install-tools install-library ## Install tools, library and headers below PREFIX (/usr/local)

install-tools: $(BUILT_TOOLS) ## Install the tools alone
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BUILT_TOOLS) $(DESTDIR)$(PREFIX)/bin

install-library: $(LIBRARY) ## Install the library for C programs, its headers and its pkg-config file
	@if [ ! -e "$(SWIFT_PREFIX)/lib/swift/CoreFoundation" ]; then \
		echo "make: CoreFoundation is not found; say where the toolchain is: TOOLCHAIN=/…/usr/bin/" >&2; exit 1; \
	fi
	install -D -m 755 $(LIBRARY) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libAudioToolbox.so
	@install -d $(DESTDIR)$(LIBDIR)/pkgconfig
	sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' -e 's|@LIBDIR@|$(abspath $(LIBDIR))|' \
		-e 's|@INCLUDEDIR@|$(abspath $(INCLUDEDIR))|' \
		-e 's|@TOOLCHAIN@|$(SWIFT_PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
		$(INSTALLATION)/audiotoolbox.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/audiotoolbox.pc
	@for header in $(HEADERS); do \
		name=$${header#Sources/*/}; \
		install -D -m 644 "$$header" "$(DESTDIR)$(HEADERS_DIR)/$${name#*/}" || exit; \
	done

uninstall: ## Remove what `make install` installed
	rm -f $(TOOLS:%=$(DESTDIR)$(PREFIX)/bin/%)
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,$(SONAME) libAudioToolbox.so pkgconfig/audiotoolbox.pc)
	rm -rf $(DESTDIR)$(HEADERS_DIR)

clean: ## Remove everything that was built
	rm -rf .build .build-tsan .build-asan .build-notraits .build-fuzz .build-bench $(LIBRARY_BUILD) .build-installed

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
