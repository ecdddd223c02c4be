# Builds the peers for other libraries: make -f Benchmarks/peers.mk. If a library is not installed, its peer is left
# out. The peer for Audio Queues is a product of the Swift package.

PEERS_SOURCE := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
PEERS_DIR ?= .build-bench/peers
PEERS_CFLAGS = -std=c11 -O2 -Wall -Wextra -Werror -I$(PEERS_SOURCE)/Sources/PeerKit/include

# The packages that `make bench` installs: libraries with their headers, and the commands of tools.tsv.
BENCH_PACKAGES = gcc libc6-dev pkg-config libpulse-dev libcubeb-dev libsdl2-dev libsdl2-mixer-dev \
	libsoundio-dev portaudio19-dev libasound2-plugins libopenal-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev \
	gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-pulseaudio \
	gstreamer1.0-plugins-base-apps gstreamer1.0-tools \
	pulseaudio-utils mpg123 sox libsox-fmt-pulse libsox-fmt-mp3 ffmpeg mpv pipewire-bin

# A peer is built if its library's header exists; two libraries have no pkg-config file.
libpulse_HEADER = pulse/pulseaudio.h
libpulse_LIBS = -lpulse
cubeb_HEADER = cubeb/cubeb.h
cubeb_LIBS = -lcubeb
# The library does not report its version. On systems without dpkg the version is unknown.
cubeb_VERSION = $(shell dpkg-query -W -f '$${Version}' libcubeb-dev 2>/dev/null || echo unknown)
cubeb_CFLAGS = -DPEER_LIBRARY_VERSION='"$(cubeb_VERSION)"'
sdl2_HEADER = SDL2/SDL.h
sdl2_LIBS = -lSDL2
soundio_HEADER = soundio/soundio.h
soundio_LIBS = -lsoundio
portaudio_HEADER = portaudio.h
portaudio_LIBS = -lportaudio
openal_HEADER = AL/alext.h
openal_LIBS = -lopenal -lpthread
gstreamer_HEADER = gst/app/gstappsrc.h
# System headers, so that their warnings are not errors.
gstreamer_CFLAGS = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags gstreamer-app-1.0 2>/dev/null))
gstreamer_LIBS = $(shell pkg-config --libs gstreamer-app-1.0 2>/dev/null)
# This project's library for C programs, if it is installed. Set PKG_CONFIG_PATH for another folder.
audiotoolbox_HEADER = AudioToolbox/AudioToolbox.h
audiotoolbox_CFLAGS = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags audiotoolbox 2>/dev/null))
audiotoolbox_LIBS = $(shell pkg-config --libs audiotoolbox 2>/dev/null)
audiounit_HEADER = AudioUnit/AudioUnit.h
audiounit_CFLAGS = $(audiotoolbox_CFLAGS)
audiounit_LIBS = $(audiotoolbox_LIBS)
pacat_HEADER = pthread.h
pacat_LIBS = -lpthread

sdl2mixer_HEADER = SDL2/SDL_mixer.h
sdl2mixer_LIBS = -lSDL2_mixer -lSDL2

PEERS = libpulse pacat cubeb sdl2 soundio portaudio openal gstreamer audiotoolbox audiounit
# The programs that mix files in one stream. That for this project's engine is a product of the Swift package.
MIXERS = sdl2mixer openal
# Versions of make differ in how they read an escaped # in a function's argument.
HASH := \#
# Usage: $(call has_header,PEER)
has_header = $(shell echo '$(HASH)include <$($1_HEADER)>' | $(CC) $($1_CFLAGS) -E -x c - >/dev/null 2>&1 && echo yes)
PEERS_HERE := $(foreach peer,$(PEERS),$(if $(call has_header,$(peer)),$(peer)))
MIXERS_HERE := $(foreach mixer,$(MIXERS),$(if $(call has_header,$(mixer)),$(mixer)))
PEERS_ABSENT := $(strip $(sort $(filter-out $(PEERS_HERE),$(PEERS)) $(filter-out $(MIXERS_HERE),$(MIXERS))))
PEER_KIT = $(wildcard $(PEERS_SOURCE)/Sources/PeerKit/*.c)
PEER_KIT_HEADERS = $(wildcard $(PEERS_SOURCE)/Sources/PeerKit/*.h $(PEERS_SOURCE)/Sources/PeerKit/include/*.h)

.PHONY: peers
peers: $(PEERS_HERE:%=$(PEERS_DIR)/peer-%) $(MIXERS_HERE:%=$(PEERS_DIR)/mix-%) $(PEERS_DIR)/audiometer.so
	@$(if $(PEERS_ABSENT),echo "peers: left out for want of their libraries: $(PEERS_ABSENT)" >&2,:)

.PHONY: bench-packages
bench-packages:
	@echo $(BENCH_PACKAGES)

define build_peer
@mkdir -p $(@D)
$(CC) $(PEERS_CFLAGS) $($*_CFLAGS) -o $@ $< $(PEER_KIT) $($*_LIBS) -lm
endef

$(PEERS_DIR)/peer-%: $(PEERS_SOURCE)/Peers/peer-%.c $(PEER_KIT) $(PEER_KIT_HEADERS)
	$(build_peer)

$(PEERS_DIR)/mix-%: $(PEERS_SOURCE)/Peers/mix-%.c $(PEER_KIT) $(PEER_KIT_HEADERS)
	$(build_peer)

# The meter is loaded before a peer's libraries to count their calls: see Meter/AudioMeter.h.
METER_SOURCES = $(filter-out %/check.c,$(wildcard $(PEERS_SOURCE)/Meter/*.c))
$(PEERS_DIR)/audiometer.so: $(METER_SOURCES) $(wildcard $(PEERS_SOURCE)/Meter/*.h)
	@mkdir -p $(@D)
	$(CC) -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared -o $@ $(METER_SOURCES)
