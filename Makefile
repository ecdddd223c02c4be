# Wrappers around `swift build` and `swift test`; `make help` lists them.

SWIFT ?= swift
# SwiftPM passes the flags of traits in the order of a set. If that differs from the last build's, everything is compiled
# again.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
PREFIX ?= /usr/local

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
# `make install-tools` installs the tools of this folder, their manual pages, and their completions where each shell
# looks for them.
TOOLS_FOLDER ?= .build/release
DATADIR ?= $(PREFIX)/share
MANUAL_PAGES = $(DESTDIR)$(DATADIR)/man/man1
BASH_COMPLETIONS = $(DESTDIR)$(DATADIR)/bash-completion/completions
ZSH_COMPLETIONS = $(DESTDIR)$(DATADIR)/zsh/site-functions
FISH_COMPLETIONS = $(DESTDIR)$(DATADIR)/fish/vendor_completions.d
AQDEMO = .build/release/aqdemo
SOURCES := $(shell find Sources Tests/SoundHarness Tests/TestSupport Package.swift -type f 2>/dev/null)
FORMATTED = Package.swift Sources Tests $(wildcard Benchmarks)

DESKTOP_ENTRY = Sources/aqplay/desktop/aqplay.desktop
APPLICATIONS = $(DESTDIR)$(PREFIX)/share/applications
# File managers find the types of files that a program opens in a cache. Packages have their own way to update it.
UPDATE_DESKTOP = @if [ -z "$(DESTDIR)" ] && [ -d $(APPLICATIONS) ] && command -v update-desktop-database >/dev/null; then \
	update-desktop-database -q $(APPLICATIONS); \
fi

# The library for C programs shares CoreFoundation's objects with them, and so the toolchain's libraries. They are
# installed beside it, with CoreFoundation's headers: programs need no toolchain. It is built in a folder of its own,
# since changed flags rebuild everything. LIBRARY=FILE installs another build.
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
# Both contain only our files, and are removed completely.
HEADERS_DIR = $(INCLUDEDIR)/audiotoolbox
RUNTIME_DIR = $(LIBDIR)/audiotoolbox
LIBRARY_BUILD = .build-library
BUILT_LIBRARY = $(LIBRARY_BUILD)/release/libAudioToolboxC.so
LIBRARY ?= $(BUILT_LIBRARY)
SONAME = libAudioToolbox.so.1
INSTALLATION = Sources/CAudioToolbox/installation
# Its threads, and the Swift runtime's tables, outlive a host's `dlclose`, so it is never unloaded.
LIBRARY_FLAGS = -c release --scratch-path $(LIBRARY_BUILD) $(HARDENED) $(STRIPPED) -Xlinker -soname=$(SONAME) \
	-Xlinker --version-script=$(abspath $(INSTALLATION))/libAudioToolbox.map -Xlinker -z -Xlinker nodelete \
	-Xswiftc -no-toolchain-stdlib-rpath -Xlinker -rpath -Xlinker '$$ORIGIN/audiotoolbox'
HEADERS = $(wildcard $(addprefix Sources/C*/,$(addsuffix /*.h,include/AudioToolbox include/CoreAudio \
	include/CoreAudioTypes include/mach include/os portable portable/CoreFoundation portable/CoreServices)))
# The loader searches the system's folders anyway.
RUN_PATH = $(if $(filter /usr/lib /usr/lib64 /usr/lib/%-linux-gnu,$(abspath $(LIBDIR))),,-Wl,-rpath,$${libdir} )
VERSION = $(shell sed -n 's/.*text = "\(.*\)"/\1/p' Sources/ToolSupport/PackageVersion.swift)
# `sudo make install` may have neither it nor swift in its PATH.
LDCONFIG ?= /sbin/ldconfig
SWIFT_PREFIX = $(if $(TOOLCHAIN),$(realpath $(TOOLCHAIN)..),$(shell cat $(LIBRARY_BUILD)/toolchain 2>/dev/null))

# Targets that build list missing packages; only those that say so install them.
DEPENDENCIES = $(CURDIR)/dependencies.sh
REQUIRE = @$(DEPENDENCIES) require
INSTALL = @$(DEPENDENCIES) install

# So many tests at once. If all began at once, the time limit of each would run while it waits for the others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8

# Runs the built tests, and repeats the failures at the end, after thousands of lines: $(call run_tests,ARGUMENTS).
define run_tests
@log=$$(mktemp); status=$$log.status; echo 1 >$$status; \
{ $(SWIFT) test --skip-build $(1) 2>&1; echo $$? >$$status; } | tee $$log; \
result=$$(cat $$status); if [ $$result -ne 0 ]; then \
	printf '\nWhat failed:\n'; grep -a '✘' $$log || tail -n 20 $$log; \
fi; \
rm -f $$log $$status; exit $$result
endef

.PHONY: all install-deps demo test test-pipewire test-long test-interchange test-damage test-corpus test-sanitizers \
	fuzz bench bench-build bench-full test-bench docs format lint install install-tools install-library \
	uninstall release-notes clean help

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

# XCTest is skipped, since its leaks fail the address sanitizer; so are programs without the sanitizer that load the
# library, and the tests that run them.
ENGINE_TESTS = --disable-xctest --filter 'AudioQueuesTests|AudioDevicesTests|AudioToolboxTests' \
	--skip 'SoundTests|InstallationTests|ProgramCompilationTests|ProgramFileTests|CodeBlockTests'

# Sound tests play in real time; those that measure time run alone (Tests/TestTraits).
test: install-deps ## Run the fast tests, then the sound tests against a server of their own
	$(INSTALL) quota
	$(BUILD) --build-tests
	$(call run_tests,--skip SoundTests)
	$(call run_tests,--filter SoundTests)

test-pipewire: export AQ_SOUND_SERVER = pipewire
test-pipewire: ## Run the sound tests against PipeWire instead of PulseAudio
	$(INSTALL) build pipewire sound
	$(BUILD) --build-tests
	$(call run_tests,--filter SoundTests)

test-long: export AQ_LONG = 1
test-long: test ## Also run tests that need hours, gigabytes, thousands of repeats or an idle machine

# AQ_INTERCHANGE_TABLE=FILE keeps the measurements, as a Markdown table.
test-interchange: export AQ_INTERCHANGE = 1
test-interchange: export AQ_BIN_DIR = $(abspath .build/release)
test-interchange: ## Exchange files of every type with other programs
	$(INSTALL) build sound interchange
	@$(MAKE) --no-print-directory .build/release/aqconvert .build/release/aqinfo
	$(SWIFT) test --filter RoundTripTests

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

test-sanitizers: export TSAN_OPTIONS = suppressions=$(abspath Tests/thread-sanitizer.supp)
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

lint: ## Check the format of the Swift sources, and the licence line of all sources
	$(SWIFT) format lint --strict -r $(FORMATTED)
	.ci/licence-lines

-include Benchmarks/bench.mk
-include Packaging/packages.mk

# The folder of the HTML documentation: make docs DOCS=folder.
DOCS ?= .build/documentation
docs: ## Build the documentation, in which a warning is an error
	$(REQUIRE) build
	$(BUILD) --target AudioToolbox
	Sources/AudioToolbox/documentation/build.sh "$(TOOLCHAIN)" .build/debug "$(DOCS)"

install: install-tools install-library ## Install tools, library and headers below PREFIX (/usr/local)

install-tools: $(TOOLS:%=$(TOOLS_FOLDER)/%) ## Install the tools alone, with manual pages and completions
	install -d $(DESTDIR)$(PREFIX)/bin $(MANUAL_PAGES) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS)
	install -m 755 $(TOOLS:%=$(TOOLS_FOLDER)/%) $(DESTDIR)$(PREFIX)/bin
	@umask 022; set -e; for tool in $(TOOLS); do \
		run=$(abspath $(TOOLS_FOLDER))/$$tool; \
		$$run --generate-manual >$(MANUAL_PAGES)/$$tool.1; \
		$$run --generate-completion=bash >$(BASH_COMPLETIONS)/$$tool; \
		$$run --generate-completion=zsh >$(ZSH_COMPLETIONS)/_$$tool; \
		$$run --generate-completion=fish >$(FISH_COMPLETIONS)/$$tool.fish; \
	done
	install -D -m 644 $(DESKTOP_ENTRY) $(APPLICATIONS)/aqplay.desktop
	$(UPDATE_DESKTOP)

install-library: $(LIBRARY) ## Install the library for C programs, its headers and its pkg-config file
	@if [ ! -e "$(SWIFT_PREFIX)/lib/swift/CoreFoundation" ]; then \
		echo "make: CoreFoundation is not found; say where the toolchain is: TOOLCHAIN=/…/usr/bin/" >&2; exit 1; \
	fi
	install -D -m 755 $(LIBRARY) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libAudioToolbox.so
	$(INSTALLATION)/install-runtime.sh $(LIBRARY) $(SWIFT_PREFIX) $(DESTDIR)$(RUNTIME_DIR)
	@install -d $(DESTDIR)$(LIBDIR)/pkgconfig
	sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' -e 's|@LIBDIR@|$(abspath $(LIBDIR))|' \
		-e 's|@INCLUDEDIR@|$(abspath $(INCLUDEDIR))|' -e 's|@RUN_PATH@ *|$(RUN_PATH)|' \
		-e 's|@VERSION@|$(VERSION)|' \
		$(INSTALLATION)/audiotoolbox.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/audiotoolbox.pc
	@for header in $(HEADERS); do \
		name=$${header#Sources/*/}; \
		install -D -m 644 "$$header" "$(DESTDIR)$(HEADERS_DIR)/$${name#*/}" || exit; \
	done
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then $(LDCONFIG); fi

uninstall: ## Remove what `make install` installed
	rm -f $(TOOLS:%=$(DESTDIR)$(PREFIX)/bin/%) $(TOOLS:%=$(MANUAL_PAGES)/%.1) $(TOOLS:%=$(BASH_COMPLETIONS)/%) \
		$(TOOLS:%=$(ZSH_COMPLETIONS)/_%) $(TOOLS:%=$(FISH_COMPLETIONS)/%.fish) $(APPLICATIONS)/aqplay.desktop
	$(UPDATE_DESKTOP)
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,$(SONAME) libAudioToolbox.so pkgconfig/audiotoolbox.pc)
	rm -rf $(DESTDIR)$(HEADERS_DIR) $(DESTDIR)$(RUNTIME_DIR)

release-notes: ## Print the changes of this version, for the page of a release
	@.ci/release-notes $(VERSION)

clean: ## Remove everything that was built
	rm -rf .build .build-tsan .build-asan .build-notraits .build-fuzz .build-bench $(LIBRARY_BUILD) .build-installed \
		$(PACKAGE_BUILD)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
