# The targets of packages, included by the Makefile of the project.

PACKAGE_BUILD = .build-deb
# Time and contact in packages: of the commit, so that two builds of one commit are equal.
PACKAGE_TIME = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md))
MAINTAINER ?= $(if $(DEBEMAIL),$(or $(DEBFULLNAME),$(DEBEMAIL)) <$(DEBEMAIL)>,$(shell \
	git log -1 --format='%an <%ae>' 2>/dev/null))

.PHONY: deb tarball test-packages require-deb

# Before the release is built, which takes minutes.
require-deb:
	$(REQUIRE) build deb

# dpkg-buildpackage runs only debian/rules there: Swift may find its toolchain through the home folder, which debhelper
# replaces.
deb: require-deb $(BUILT_TOOLS) $(BUILT_LIBRARY) ## Build the packages of Debian, in .build-deb
	SOURCE_DATE_EPOCH=$(PACKAGE_TIME) Packaging/build-deb.sh "$(PACKAGE_BUILD)" "$(VERSION)" "$(MAINTAINER)"

tarball: $(BUILT_TOOLS) $(BUILT_LIBRARY) ## Build an archive of tools and library for other distributions, in .build-deb
	SOURCE_DATE_EPOCH=$(PACKAGE_TIME) Packaging/build-tarball.sh "$(PACKAGE_BUILD)" "$(VERSION)" "$(SWIFT_PREFIX)"

test-packages: deb tarball ## Install the packages on a bare Debian 12, play, record, compile, remove (as root)
	$(REQUIRE) packages
	Tests/Packages/test.sh "$(PACKAGE_BUILD)" "$(VERSION)"
