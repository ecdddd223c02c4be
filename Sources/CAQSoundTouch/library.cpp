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

// Debian keeps the first name for 2.4; the makers of the library use the second one from 2.3 on.
const aq_library names = {{"libSoundTouch.so.1", "libSoundTouch.so.2"}, "libsoundtouch1"};

// Whether the classes of a version have the layout that was compiled in: those of 2.3 and 2.4 are equal. The last two
// digits are the patch level.
constexpr bool is_compatible(unsigned version, unsigned compiled = SOUNDTOUCH_VERSION_ID) {
    return version / 100 == compiled / 100 ||
           (203 <= version / 100 && version / 100 <= 204 && 203 <= compiled / 100 && compiled / 100 <= 204);
}
static_assert(is_compatible(20302, 20400) && is_compatible(20401, 20302) && !is_compatible(20203, 20302) &&
              !is_compatible(20500, 20400) && is_compatible(20501, 20500));

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
    if (!is_compatible(version())) {
        std::snprintf(load_failure, sizeof load_failure, "SoundTouch is of version %u, not %d", version(),
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
