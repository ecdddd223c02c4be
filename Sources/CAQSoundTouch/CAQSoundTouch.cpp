/* SPDX-License-Identifier: MIT */

#include "CAQSoundTouch.h"

// Without the trait there are no stretchers, and SoundTouch need not be installed.
#ifndef HAVE_TIME_PITCH

extern "C" {

const char *aq_stretcher_failure(void) { return "this program was built without it"; }
struct aq_stretcher *aq_stretcher_create(double, unsigned, bool) { return nullptr; }
void aq_stretcher_set_tempo(struct aq_stretcher *, double) {}
void aq_stretcher_set_pitch(struct aq_stretcher *, double) {}
bool aq_stretcher_put(struct aq_stretcher *, const float *, size_t) { return false; }
size_t aq_stretcher_take(struct aq_stretcher *, float *, size_t) { return 0; }
void aq_stretcher_finish(struct aq_stretcher *) {}
void aq_stretcher_restart(struct aq_stretcher *) {}
void aq_stretcher_delete(struct aq_stretcher *) {}
}

#else

#include "library.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

static_assert(std::is_same<soundtouch::SAMPLETYPE, float>::value,
              "SoundTouch was built for integers: its samples have to be floats");

struct aq_stretcher {
    sound_touch::engine engine;
    double sample_rate = 0;
    unsigned channels = 1;
    bool is_quick = false;
    double tempo = 1;
    double pitch = 1;
    // The number of output frames expected for the input, and the number returned.
    double expected = 0;
    double given = 0;
    // The last input frames in a ring, the index of the next one, and their number.
    std::vector<float> recent;
    std::size_t recent_end = 0;
    std::size_t recent_count = 0;
    // The output after the end of the input, and the number of frames of it that were returned.
    bool is_finished = false;
    std::vector<float> ending;
    std::size_t ending_given = 0;

    std::size_t recent_capacity() const { return recent.size() / channels; }
};

namespace {

// The limits of the rate for the library, which refuses higher ones and only computes the lengths of its windows.
constexpr double highest_rate = 192000;
constexpr double lowest_rate = 1000;

// The largest number of frames in a call, because the library counts frames and bytes in unsigned int.
constexpr std::size_t most_frames_at_once = 1 << 14;

// The length of the filter against aliases, before and after a change of pitch: the longest of the library.
constexpr int filter_length = 128;

// The overlap of pieces that the library joins, and the range in which it searches for the most similar position. Both
// are in seconds of the audio that it cuts, which a higher pitch shortens afterwards.
constexpr double overlap_seconds = 0.008;
constexpr double seek_seconds = 0.02;

// The duration of input that is kept for the longest ending, at half the tempo and four times the pitch, in seconds.
constexpr double recent_seconds = 0.8;

// The padding after the end, after which the library outputs the frames it holds: frames at a time, and in total.
constexpr std::size_t padding_frames = 256;
constexpr std::size_t most_padding = 1 << 17;

// Returns the nearest value in the range, because infinite values and NaN would cause an endless loop.
double within(double value, double least, double most) {
    return std::isnan(value) ? least : std::min(std::max(value, least), most);
}

// Calls `body`, and returns `otherwise` if it throws, for example if memory is insufficient.
template <typename Result, typename Body> Result guarded(Result otherwise, Body body) noexcept {
    try {
        return body();
    } catch (...) {
        return otherwise;
    }
}

// Keeps as many input frames as an ending may need.
void remember(aq_stretcher &stretcher, const float *frames, std::size_t count) {
    std::size_t channels = stretcher.channels, capacity = stretcher.recent_capacity();
    if (count > capacity) {
        frames += (count - capacity) * channels;
        count = capacity;
    }
    std::size_t first = std::min(count, capacity - stretcher.recent_end);
    std::copy_n(frames, first * channels, stretcher.recent.begin() + stretcher.recent_end * channels);
    std::copy_n(frames + first * channels, (count - first) * channels, stretcher.recent.begin());
    stretcher.recent_end = (stretcher.recent_end + count) % capacity;
    stretcher.recent_count = std::min(capacity, stretcher.recent_count + count);
}

// Returns the input frame at a distance from the end: 0 for the last one.
const float *frame_before_end(const aq_stretcher &stretcher, std::size_t distance) {
    std::size_t capacity = stretcher.recent_capacity();
    std::size_t index = (stretcher.recent_end + capacity - 1 - distance % capacity) % capacity;
    return stretcher.recent.data() + index * stretcher.channels;
}

// Produces `wanted` frames, by padding the end with the previous audio, backward and forward.
//
// The padding is normally inaudible. If a short part is audible, it is preferable to silence.
std::vector<float> drain(aq_stretcher &stretcher, std::size_t wanted) {
    std::size_t channels = stretcher.channels, period = 2 * stretcher.recent_count, put = 0;
    std::vector<float> padding(padding_frames * channels);
    while (stretcher.engine.numSamples() < wanted && put < most_padding) {
        for (std::size_t i = 0; i < padding_frames && period > 0; i++) {
            std::size_t place = (put + i) % period;
            std::size_t distance = place < stretcher.recent_count ? place : period - 1 - place;
            std::copy_n(frame_before_end(stretcher, distance), channels, padding.begin() + i * channels);
        }
        stretcher.engine.putSamples(padding.data(), padding_frames);
        put += padding_frames;
    }
    std::vector<float> frames(wanted * channels);
    std::size_t count = 0;
    while (count < wanted) {
        std::size_t part = std::min(wanted - count, most_frames_at_once);
        part = stretcher.engine.receiveSamples(frames.data() + count * channels, static_cast<unsigned>(part));
        if (part == 0) {
            break;
        }
        count += part;
    }
    frames.resize(count * channels);
    return frames;
}

// Returns the last `wanted` frames of the input, or fewer if there are fewer, with the pitch but not stretched.
//
// The library does not cut if it does not stretch. The frames that the engine holds are lost.
std::vector<float> close_up(aq_stretcher &stretcher, std::size_t wanted) {
    stretcher.engine.clear();
    stretcher.engine.setTempo(stretcher.pitch);
    stretcher.engine.setSetting(SETTING_USE_QUICKSEEK, 0);
    std::size_t capacity = stretcher.recent_capacity();
    std::size_t count = static_cast<std::size_t>(std::ceil(wanted * stretcher.pitch));
    count = std::min(count, stretcher.recent_count);
    std::size_t begin = (stretcher.recent_end + capacity - count) % capacity;
    std::size_t part = std::min(count, capacity - begin);
    const float *frames = stretcher.recent.data();
    stretcher.engine.putSamples(frames + begin * stretcher.channels, static_cast<unsigned>(part));
    stretcher.engine.putSamples(frames, static_cast<unsigned>(count - part));
    return drain(stretcher, static_cast<std::size_t>(count / stretcher.pitch));
}

// Returns the difference of two pieces: 0 if they are equal or silent, 2 if one is the other inverted.
double difference(const float *one, const float *other, std::size_t samples) {
    double difference = 0, energy = 0;
    for (std::size_t i = 0; i < samples; i++) {
        double distance = double(one[i]) - other[i];
        difference += distance * distance;
        energy += double(one[i]) * one[i] + double(other[i]) * other[i];
    }
    return energy > 0 ? difference / energy : 0;
}

// Fades one piece into another within `fade` frames, and continues with the other up to `count` frames.
void cross_over(float *sound, const float *other, std::size_t fade, std::size_t count, std::size_t channels) {
    for (std::size_t i = 0; i < fade * channels; i++) {
        float share = (i / channels + 0.5f) / fade;
        sound[i] += share * (other[i] - sound[i]);
    }
    std::copy(other + fade * channels, other + count * channels, sound + fade * channels);
}

// Makes the output end with the last frame of the input.
//
// The library plays pieces of the audio unchanged, and omits or repeats audio between them: within a piece it runs
// ahead of its position, or falls behind. So its last pieces reach beyond the end of the audio, or do not reach it. One
// more piece, which ends with the last frame, replaces them.
void end_with_last_frame(aq_stretcher &stretcher) {
    std::size_t channels = stretcher.channels, count = stretcher.ending.size() / channels;
    if (count == 0) {
        return;
    }
    double scale = stretcher.sample_rate / std::max(1.0, stretcher.pitch);
    double stretch = stretcher.tempo / stretcher.pitch;
    double piece = std::max(0, stretcher.engine.getSetting(SETTING_NOMINAL_OUTPUT_SEQUENCE));
    double overlap = std::ceil(overlap_seconds * scale), leeway = std::ceil(seek_seconds / 2 * scale);
    // With at least `last` frames left, no piece of the library can have reached the end.
    double last = stretch < 1 ? (piece * (1 - stretch) + leeway + overlap) / stretch : piece / 2;
    last = std::ceil(std::max(last, overlap));

    std::vector<float> close = close_up(stretcher, static_cast<std::size_t>(last + leeway));
    std::size_t length = close.size() / channels;
    std::size_t earliest = count - std::min(count, length);
    std::size_t latest = std::max(earliest, count - std::min(count, static_cast<std::size_t>(last)));
    earliest = std::max(earliest, latest - std::min(latest, static_cast<std::size_t>(leeway)));
    // The fade of a short ending leaves the last frames unchanged.
    std::size_t fade = std::min((count - latest + 1) / 2, static_cast<std::size_t>(overlap));
    float *ending = stretcher.ending.data();
    // A position has the same distance from the end in both pieces, so the number of frames is correct.
    const float *other = close.data() + length * channels;
    std::size_t best = latest;
    double least = HUGE_VAL;
    for (std::size_t place = latest + 1; place-- > earliest;) {
        const float *next = other - (count - place) * channels;
        double found = difference(ending + place * channels, next, fade * channels);
        if (found < least) {
            least = found;
            best = place;
        }
    }
    cross_over(ending + best * channels, other - (count - best) * channels, fade, count - best, channels);
}

} // namespace

extern "C" {

const char *aq_stretcher_failure(void) { return sound_touch::failure(); }

struct aq_stretcher *aq_stretcher_create(double sample_rate, unsigned channels, bool is_quick) {
    if (channels < 1 || channels > AQ_STRETCHER_CHANNELS || sound_touch::load() == nullptr) {
        return nullptr;
    }
    aq_stretcher *stretcher = guarded<aq_stretcher *>(nullptr, [] { return new aq_stretcher; });
    if (stretcher == nullptr) {
        return nullptr;
    }
    bool is_set = guarded(false, [&] {
        stretcher->channels = channels;
        stretcher->is_quick = is_quick;
        stretcher->sample_rate = within(sample_rate, lowest_rate, highest_rate);
        stretcher->engine.setSampleRate(static_cast<unsigned>(std::lround(stretcher->sample_rate)));
        stretcher->engine.setChannels(channels);
        stretcher->engine.setSetting(SETTING_USE_QUICKSEEK, is_quick ? 1 : 0);
        stretcher->engine.setSetting(SETTING_USE_AA_FILTER, 1);
        if (!is_quick) {
            stretcher->engine.setSetting(SETTING_AA_FILTER_LENGTH, filter_length);
        }
        auto recent_frames = static_cast<std::size_t>(recent_seconds * stretcher->sample_rate);
        stretcher->recent.resize(recent_frames * channels);
        // The number of frames that the filter needs before the first output depends on its length.
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
        double target = within(tempo, AQ_STRETCHER_LEAST_TEMPO, AQ_STRETCHER_MOST_TEMPO);
        // Held frames will be played at the new tempo.
        double held = stretcher->engine.numUnprocessedSamples();
        if (stretcher->given + stretcher->engine.numSamples() > 0) {
            // The next piece begins in the middle of its search range, which is among the held frames.
            held = std::max(0.0, held - seek_seconds / 2 * stretcher->sample_rate);
        }
        // A lower pitch has lengthened the held frames.
        held *= std::min(1.0, stretcher->pitch);
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
            remember(*stretcher, frames, part);
            stretcher->expected += part / stretcher->tempo;
            frames += part * stretcher->channels;
            count -= part;
        }
        return true;
    });
}

size_t aq_stretcher_take(struct aq_stretcher *stretcher, float *frames, size_t capacity) {
    return guarded(std::size_t(0), [&] {
        std::size_t most = std::min(capacity, most_frames_at_once), channels = stretcher->channels;
        if (stretcher->is_finished) {
            std::size_t given = stretcher->ending_given;
            std::size_t count = std::min(most, stretcher->ending.size() / channels - given);
            std::copy_n(stretcher->ending.begin() + given * channels, count * channels, frames);
            stretcher->ending_given += count;
            return count;
        }
        std::size_t count = stretcher->engine.receiveSamples(frames, static_cast<unsigned>(most));
        stretcher->given += count;
        return count;
    });
}

// QUIRK: the library's own flush appends silence that is audible in the last pieces and between them, or omits audio
// that they do not reach. It counts frames that were held at a change of tempo by the previous tempo.
void aq_stretcher_finish(struct aq_stretcher *stretcher) {
    if (stretcher->is_finished) {
        return;
    }
    stretcher->is_finished = true;
    stretcher->ending_given = 0;
    guarded(false, [&] {
        double owed = std::max(0.0, std::round(stretcher->expected) - stretcher->given);
        stretcher->ending = drain(*stretcher, static_cast<std::size_t>(owed));
        end_with_last_frame(*stretcher);
        return true;
    });
}

void aq_stretcher_restart(struct aq_stretcher *stretcher) {
    stretcher->expected = 0;
    stretcher->given = 0;
    stretcher->recent_end = 0;
    stretcher->recent_count = 0;
    stretcher->is_finished = false;
    stretcher->ending.clear();
    guarded(false, [&] {
        // Restores the settings that the ending has changed.
        stretcher->engine.setTempo(stretcher->tempo);
        stretcher->engine.setSetting(SETTING_USE_QUICKSEEK, stretcher->is_quick ? 1 : 0);
        stretcher->engine.clear();
        return true;
    });
}

void aq_stretcher_delete(struct aq_stretcher *stretcher) { delete stretcher; }
}

#endif
