# Installation, included by the Makefile of the project.

PREFIX ?= /usr/local
# `make install-tools` installs the tools of this folder, their manual pages, and their completions where each shell
# looks for them.
TOOLS_FOLDER ?= .build/release
DATADIR ?= $(PREFIX)/share
MANUAL_PAGES = $(DESTDIR)$(DATADIR)/man/man1
BASH_COMPLETIONS = $(DESTDIR)$(DATADIR)/bash-completion/completions
ZSH_COMPLETIONS = $(DESTDIR)$(DATADIR)/zsh/site-functions
FISH_COMPLETIONS = $(DESTDIR)$(DATADIR)/fish/vendor_completions.d
DESKTOP_ENTRY = Sources/aqplay/desktop/aqplay.desktop
APPLICATIONS = $(DESTDIR)$(PREFIX)/share/applications
# File managers find the types of files that a program opens in a cache. Packages have their own way to update it.
UPDATE_DESKTOP = @if [ -z "$(DESTDIR)" ] && [ -d $(APPLICATIONS) ] && command -v update-desktop-database >/dev/null; then \
	update-desktop-database -q $(APPLICATIONS); \
fi

# LIBRARY=FILE installs another build.
LIBRARY ?= $(BUILT_LIBRARY)
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
# Both contain only our files, and are removed completely.
HEADERS_DIR = $(INCLUDEDIR)/audiotoolbox
RUNTIME_DIR = $(LIBDIR)/audiotoolbox
HEADERS = $(wildcard $(addprefix Sources/C*/,$(addsuffix /*.h,include/AudioToolbox include/AudioUnit \
	include/CoreAudio include/CoreAudioTypes include/CoreMedia include/libkern include/mach include/os portable \
	portable/CoreFoundation portable/CoreServices)))
# The loader searches the system's folders anyway.
RUN_PATH = $(if $(filter /usr/lib /usr/lib64 /usr/lib/%-linux-gnu,$(abspath $(LIBDIR))),,-Wl,-rpath,$${libdir} )
# `sudo make install` may have neither it nor swift in its PATH.
LDCONFIG ?= /sbin/ldconfig

.PHONY: install install-tools install-library uninstall

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
