/* SPDX-License-Identifier: MIT */

#ifdef HAVE_TIME_PITCH

#if !__has_include(<soundtouch/SoundTouch.h>)
#error "install libsoundtouch-dev, or build without the trait TimePitch"
#endif
#include "library.h"

#include <CAQLibraries.h>
#include <cstdio>
#include <pthread.h>

namespace {

const aq_library names = {{"libSoundTouch.so.1"}, "libsoundtouch1"};

sound_touch::functions library;
unsigned (*version)();
// The reason why the library cannot be loaded; empty if it is loaded.
char load_failure[AQ_FAILURE_BYTES];
pthread_once_t once = PTHREAD_ONCE_INIT;

template <typename Function> void **target(Function &function) { return reinterpret_cast<void **>(&function); }

void load_once() {
    const aq_symbol symbols[] = {
        {"_ZN10soundtouch10SoundTouch12getVersionIdEv", target(version)},
        {"_ZN10soundtouch10SoundTouchC1Ev", target(library.construct)},
        {"_ZN10soundtouch10SoundTouch11setChannelsEj", target(library.set_channels)},
        {"_ZN10soundtouch10SoundTouch13setSampleRateEj", target(library.set_sample_rate)},
        {"_ZN10soundtouch10SoundTouch8setTempoEd", target(library.set_tempo)},
        {"_ZN10soundtouch10SoundTouch8setPitchEd", target(library.set_pitch)},
        {"_ZN10soundtouch10SoundTouch10setSettingEii", target(library.set_setting)},
        {"_ZNK10soundtouch10SoundTouch10getSettingEi", target(library.get_setting)},
    };
    if (!aq_load_library(&names, symbols, sizeof symbols / sizeof symbols[0], load_failure)) {
        return;
    }
    // The size of an object was compiled in with the headers. The last two digits are the patch level.
    if (version() / 100 != SOUNDTOUCH_VERSION_ID / 100) {
        std::snprintf(load_failure, sizeof load_failure, "libSoundTouch.so.1 is of version %u, not %d", version(),
                      SOUNDTOUCH_VERSION_ID);
    }
}

} // namespace

const sound_touch::functions *sound_touch::load() {
    pthread_once(&once, load_once);
    return load_failure[0] == '\0' ? &library : nullptr;
}

const char *sound_touch::failure() {
    load();
    return load_failure;
}

#endif
