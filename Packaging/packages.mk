# The targets of packages, included by the Makefile of the project.

PACKAGE_BUILD = .build-deb
# Time and contact in packages: of the commit, so that two builds of one commit are equal.
PACKAGE_TIME = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md))
MAINTAINER ?= $(if $(DEBEMAIL),$(or $(DEBFULLNAME),$(DEBEMAIL)) <$(DEBEMAIL)>,$(shell \
	git log -1 --format='%an <%ae>' 2>/dev/null))
# The page of the project: that of the repository, if a browser can open it.
HOMEPAGE ?= $(shell git config --get remote.origin.url 2>/dev/null | sed -n 's|^git@\([^:]*\):|https://\1/|; s|\.git$$||; /^https:/p')

.PHONY: deb tarball test-packages test-debian require-deb

# Before the release is built, which takes minutes.
require-deb:
	$(REQUIRE) build deb

# dpkg-buildpackage runs only debian/rules there: Swift may find its toolchain through the home folder, which debhelper
# replaces.
deb: require-deb $(BUILT_TOOLS) $(BUILT_LIBRARY) ## Build the packages of Debian, in .build-deb
	SOURCE_DATE_EPOCH=$(PACKAGE_TIME) Packaging/build-deb.sh "$(PACKAGE_BUILD)" "$(VERSION)" "$(MAINTAINER)" \
		"$(HOMEPAGE)"

tarball: $(BUILT_TOOLS) $(BUILT_LIBRARY) ## Build an archive of tools and library for other distributions, in .build-deb
	SOURCE_DATE_EPOCH=$(PACKAGE_TIME) Packaging/build-tarball.sh "$(PACKAGE_BUILD)" "$(VERSION)" "$(SWIFT_PREFIX)"

# Packages and archive of one release also run on later ones, without the codecs of libavcodec.
test-packages: deb tarball ## Use every feature of packages and archive on bare Debians (as root) [RELEASES=trixie]
	$(REQUIRE) packages
	Tests/Packages/test.sh "$(PACKAGE_BUILD)" "$(VERSION)" "$(or $(RELEASES),bookworm trixie)" \
		"$(or $(RELEASES),bookworm trixie sid)"

# Each release costs a whole build and half a gigabyte of packages. KEEP=1 keeps the systems with what was built.
test-debian: ## Run make demo, make, make test on fresh Debians (as root): make test-debian [RELEASES="trixie sid"] [KEEP=1]
	$(REQUIRE) debian
	KEEP=$(KEEP) Tests/Packages/test-debian.sh "$(PACKAGE_BUILD)" $(or $(RELEASES),trixie sid bookworm)
