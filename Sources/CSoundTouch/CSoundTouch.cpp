#include "CSoundTouch.h"

#include <soundtouch/SoundTouch.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <type_traits>

static_assert(std::is_same<soundtouch::SAMPLETYPE, float>::value,
              "SoundTouch was built for integers: its samples have to be floats");

struct aq_stretcher {
    soundtouch::SoundTouch engine;
    unsigned channels = 1;
};

namespace {

// Above this rate the library refuses to work. It only needs the rate for the lengths of its windows.
constexpr double highest_rate = 192000;
constexpr double lowest_rate = 1000;

// The library counts frames in unsigned int, and what it holds in bytes.
constexpr std::size_t most_frames_at_once = 1 << 14;

// The filter before and behind a change of pitch: the longest that it has, against sounds that were not there.
constexpr int filter_length = 128;

// Rates that are no numbers would have it loop for ever.
double within(double value, double least, double most) {
    return std::isnan(value) ? least : std::min(std::max(value, least), most);
}

// Calls `body`, and gives `otherwise` when it throws, as it does for want of memory.
template <typename Result, typename Body> Result guarded(Result otherwise, Body body) noexcept {
    try {
        return body();
    } catch (...) {
        return otherwise;
    }
}

} // namespace

extern "C" {

struct aq_stretcher *aq_stretcher_create(double sample_rate, unsigned channels, bool is_quick) {
    if (channels < 1 || channels > AQ_STRETCHER_CHANNELS) {
        return nullptr;
    }
    aq_stretcher *stretcher = guarded<aq_stretcher *>(nullptr, [] { return new aq_stretcher; });
    if (stretcher == nullptr) {
        return nullptr;
    }
    bool is_set = guarded(false, [&] {
        stretcher->channels = channels;
        stretcher->engine.setSampleRate(
            static_cast<unsigned>(std::lround(within(sample_rate, lowest_rate, highest_rate))));
        stretcher->engine.setChannels(channels);
        stretcher->engine.setSetting(SETTING_USE_QUICKSEEK, is_quick ? 1 : 0);
        stretcher->engine.setSetting(SETTING_USE_AA_FILTER, 1);
        if (!is_quick) {
            stretcher->engine.setSetting(SETTING_AA_FILTER_LENGTH, filter_length);
        }
        // What the filter needs before the first frame depends on its length.
        stretcher->engine.clear();
        return true;
    });
    if (!is_set) {
        delete stretcher;
        return nullptr;
    }
    return stretcher;
}

void aq_stretcher_set_tempo(struct aq_stretcher *stretcher, double tempo) {
    guarded(false, [&] {
        stretcher->engine.setTempo(within(tempo, 0.5, 2));
        return true;
    });
}

void aq_stretcher_set_pitch(struct aq_stretcher *stretcher, double cents) {
    guarded(false, [&] {
        stretcher->engine.setPitch(std::isnan(cents) ? 1 : std::exp2(within(cents, -2400, 2400) / 1200));
        return true;
    });
}

bool aq_stretcher_put(struct aq_stretcher *stretcher, const float *frames, size_t count) {
    return guarded(false, [&] {
        while (count > 0) {
            std::size_t part = std::min(count, most_frames_at_once);
            stretcher->engine.putSamples(frames, static_cast<unsigned>(part));
            frames += part * stretcher->channels;
            count -= part;
        }
        return true;
    });
}

size_t aq_stretcher_take(struct aq_stretcher *stretcher, float *frames, size_t capacity) {
    return guarded(std::size_t(0), [&] {
        unsigned most = static_cast<unsigned>(std::min(capacity, most_frames_at_once));
        return std::size_t(stretcher->engine.receiveSamples(frames, most));
    });
}

void aq_stretcher_finish(struct aq_stretcher *stretcher) {
    guarded(false, [&] {
        stretcher->engine.flush();
        return true;
    });
}

void aq_stretcher_restart(struct aq_stretcher *stretcher) {
    guarded(false, [&] {
        stretcher->engine.clear();
        return true;
    });
}

size_t aq_stretcher_latency(const struct aq_stretcher *stretcher) {
    return guarded(std::size_t(0), [&] {
        return std::size_t(std::max(0, stretcher->engine.getSetting(SETTING_INITIAL_LATENCY)));
    });
}

void aq_stretcher_delete(struct aq_stretcher *stretcher) { delete stretcher; }
}
