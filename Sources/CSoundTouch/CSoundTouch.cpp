#include "CSoundTouch.h"

#if !__has_include(<soundtouch/SoundTouch.h>)
#error "install libsoundtouch-dev, or build without the trait TimePitch"
#endif
#include <soundtouch/SoundTouch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

static_assert(std::is_same<soundtouch::SAMPLETYPE, float>::value,
              "SoundTouch was built for integers: its samples have to be floats");

struct aq_stretcher {
    soundtouch::SoundTouch engine;
    unsigned channels = 1;
    double tempo = 1;
    double pitch = 1;
    // Frames that should have come out in the end of what went in so far, and that have come out.
    double expected = 0;
    double given = 0;
    // Frames that are still to come out, once it is known that nothing goes in any more.
    bool is_finished = false;
    std::size_t owed = 0;
    std::vector<float> silence;
};

namespace {

// Above this rate the library refuses to work. It only needs the rate for the lengths of its windows.
constexpr double highest_rate = 192000;
constexpr double lowest_rate = 1000;

// The library counts frames in unsigned int, and what it holds in bytes.
constexpr std::size_t most_frames_at_once = 1 << 14;

// The filter before and behind a change of pitch: the longest that it has, against sounds that were not there.
constexpr int filter_length = 128;

// What is put behind the end, to push out what is held: frames at a time, and how often.
constexpr std::size_t silent_frames = 256;
constexpr int most_silences = 400;

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
        stretcher->silence.assign(silent_frames * channels, 0);
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
        double target = within(tempo, 0.5, 2);
        // What is held is going to be played at the new tempo. When the pitch goes down, it was made longer before.
        double held = stretcher->engine.numUnprocessedSamples() * std::min(1.0, stretcher->pitch);
        stretcher->expected += held * (1 / target - 1 / stretcher->tempo);
        stretcher->tempo = target;
        stretcher->engine.setTempo(target);
        return true;
    });
}

void aq_stretcher_set_pitch(struct aq_stretcher *stretcher, double cents) {
    guarded(false, [&] {
        stretcher->pitch = std::isnan(cents) ? 1 : std::exp2(within(cents, -2400, 2400) / 1200);
        stretcher->engine.setPitch(stretcher->pitch);
        return true;
    });
}

bool aq_stretcher_put(struct aq_stretcher *stretcher, const float *frames, size_t count) {
    return guarded(false, [&] {
        while (count > 0) {
            std::size_t part = std::min(count, most_frames_at_once);
            stretcher->engine.putSamples(frames, static_cast<unsigned>(part));
            stretcher->expected += part / stretcher->tempo;
            frames += part * stretcher->channels;
            count -= part;
        }
        return true;
    });
}

size_t aq_stretcher_take(struct aq_stretcher *stretcher, float *frames, size_t capacity) {
    return guarded(std::size_t(0), [&] {
        std::size_t most = std::min(capacity, most_frames_at_once);
        if (stretcher->is_finished) {
            most = std::min(most, stretcher->owed);
        }
        std::size_t count = stretcher->engine.receiveSamples(frames, static_cast<unsigned>(most));
        stretcher->given += count;
        if (stretcher->is_finished) {
            stretcher->owed -= count;
        }
        return count;
    });
}

// QUIRK: the library's own way to the end counts what it held at a change of tempo by the tempo before, and so cuts
// the end off, or plays silence behind it.
void aq_stretcher_finish(struct aq_stretcher *stretcher) {
    if (stretcher->is_finished) {
        return;
    }
    guarded(false, [&] {
        double owed = std::max(0.0, std::round(stretcher->expected) - stretcher->given);
        for (int i = 0; i < most_silences && stretcher->engine.numSamples() < owed; i++) {
            stretcher->engine.putSamples(stretcher->silence.data(), silent_frames);
        }
        stretcher->owed = static_cast<std::size_t>(owed);
        return true;
    });
    stretcher->is_finished = true;
}

void aq_stretcher_restart(struct aq_stretcher *stretcher) {
    stretcher->expected = 0;
    stretcher->given = 0;
    stretcher->owed = 0;
    stretcher->is_finished = false;
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
