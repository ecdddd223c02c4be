/* SPDX-License-Identifier: MIT */

#ifdef HAVE_TIME_PITCH

#if !__has_include(<soundtouch/SoundTouch.h>)
#error "install libsoundtouch-dev, or build without the trait TimePitch"
#endif
#include "library.h"

#include <cstdio>
#include <dlfcn.h>
#include <pthread.h>

namespace {

// The file name of the library, with the version of its binary interface, which the header does not state.
constexpr char file_name[] = "libSoundTouch.so.1";

sound_touch::functions library;
bool is_loaded = false;
// The reason why the library cannot be loaded; empty if it is loaded.
char load_failure[256];
pthread_once_t once = PTHREAD_ONCE_INIT;

template <typename Function> bool find(void *handle, const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr) {
        std::snprintf(load_failure, sizeof load_failure, "%s has no %s", file_name, name);
    }
    return function != nullptr;
}

// Returns whether the library is of the version of the headers, whose size of an object was compiled in.
bool has_version(void *handle) {
    unsigned (*version)() = nullptr;
    if (!find(handle, "_ZN10soundtouch10SoundTouch12getVersionIdEv", version)) {
        return false;
    }
    // The last two digits are the patch level.
    if (version() / 100 != SOUNDTOUCH_VERSION_ID / 100) {
        std::snprintf(load_failure, sizeof load_failure, "%s is of version %u, not %d", file_name, version(),
                      SOUNDTOUCH_VERSION_ID);
        return false;
    }
    return true;
}

void load_once() {
    void *handle = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char *reason = dlerror();
        std::snprintf(load_failure, sizeof load_failure, "%s",
                      reason != nullptr ? reason : "cannot load SoundTouch");
        return;
    }
    is_loaded = has_version(handle)
        && find(handle, "_ZN10soundtouch10SoundTouchC1Ev", library.construct)
        && find(handle, "_ZN10soundtouch10SoundTouch11setChannelsEj", library.set_channels)
        && find(handle, "_ZN10soundtouch10SoundTouch13setSampleRateEj", library.set_sample_rate)
        && find(handle, "_ZN10soundtouch10SoundTouch8setTempoEd", library.set_tempo)
        && find(handle, "_ZN10soundtouch10SoundTouch8setPitchEd", library.set_pitch)
        && find(handle, "_ZN10soundtouch10SoundTouch10setSettingEii", library.set_setting)
        && find(handle, "_ZNK10soundtouch10SoundTouch10getSettingEi", library.get_setting);
    if (!is_loaded) {
        dlclose(handle);
    }
}

} // namespace

const sound_touch::functions *sound_touch::load() {
    pthread_once(&once, load_once);
    return is_loaded ? &library : nullptr;
}

const char *sound_touch::failure() {
    load();
    return load_failure;
}

#endif
