#include "CSoundTouch.h"

// Without the trait nobody calls what is here, and SoundTouch need not be there.
#ifdef HAVE_TIME_PITCH

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
    double sample_rate = 0;
    unsigned channels = 1;
    bool is_quick = false;
    double tempo = 1;
    double pitch = 1;
    // Frames that should have come out in the end of what went in so far, and that have come out.
    double expected = 0;
    double given = 0;
    // The frames that went in last, a ring: where the next one goes, and how many are there.
    std::vector<float> recent;
    std::size_t recent_end = 0;
    std::size_t recent_count = 0;
    // What comes out once it is known that nothing goes in any more, and the frames of it that are given.
    bool is_finished = false;
    std::vector<float> ending;
    std::size_t ending_given = 0;

    std::size_t recent_capacity() const { return recent.size() / channels; }
};

namespace {

// Above this rate the library refuses to work. It only needs the rate for the lengths of its windows.
constexpr double highest_rate = 192000;
constexpr double lowest_rate = 1000;

// The library counts frames in unsigned int, and what it holds in bytes.
constexpr std::size_t most_frames_at_once = 1 << 14;

// The filter before and behind a change of pitch: the longest that it has, against sounds that were not there.
constexpr int filter_length = 128;

// By how much pieces of the sound overlap where the library puts them together, and how far it looks for the place
// where they are most alike. In seconds of what it cuts: a higher pitch makes that shorter afterwards.
constexpr double overlap_seconds = 0.008;
constexpr double seek_seconds = 0.02;

// How much of what went in is kept: what the longest ending needs, at half the tempo and four times the pitch.
constexpr double recent_seconds = 0.8;

// What is put behind the end, to push out what is held: frames at a time, and at most.
constexpr std::size_t padding_frames = 256;
constexpr std::size_t most_padding = 1 << 17;

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

// Keeps frames that go in, as many as are going to be needed.
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

// The frame that went in so many frames before the end: 0 for the last one.
const float *frame_before_end(const aq_stretcher &stretcher, std::size_t distance) {
    std::size_t capacity = stretcher.recent_capacity();
    std::size_t index = (stretcher.recent_end + capacity - 1 - distance % capacity) % capacity;
    return stretcher.recent.data() + index * stretcher.channels;
}

// Has the library give so many frames, by putting behind the end what was before it, there and back.
//
// None of that is meant to be heard; if a moment of it is, it is better than silence.
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

// What went in last, to the last frame, at the pitch but not stretched; so many frames, or as many as there are.
//
// The library cuts nothing where it has nothing to stretch. Takes the engine: what it holds is lost.
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

// How unlike two pieces are: 0 for the same, or silence, and 2 for one that is the other upside down.
double difference(const float *one, const float *other, std::size_t samples) {
    double difference = 0, energy = 0;
    for (std::size_t i = 0; i < samples; i++) {
        double distance = double(one[i]) - other[i];
        difference += distance * distance;
        energy += double(one[i]) * one[i] + double(other[i]) * other[i];
    }
    return energy > 0 ? difference / energy : 0;
}

// Has one sound, from somewhere on, go over into another within so many samples, and then be that.
void cross_over(float *sound, const float *other, std::size_t fade, std::size_t count, std::size_t channels) {
    for (std::size_t i = 0; i < fade * channels; i++) {
        float share = (i / channels + 0.5f) / fade;
        sound[i] += share * (other[i] - sound[i]);
    }
    std::copy(other + fade * channels, other + count * channels, sound + fade * channels);
}

// Has the ending end where the sound does.
//
// The library plays pieces of the sound as they are, and leaves something out between them, or repeats it: within
// a piece it gets ahead of where it should be, or falls behind. So its last pieces reach beyond the end of the sound,
// or do not get there. Here one more piece is played in place of those, which ends with the last frame.
void end_with_last_frame(aq_stretcher &stretcher) {
    std::size_t channels = stretcher.channels, count = stretcher.ending.size() / channels;
    if (count == 0) {
        return;
    }
    double scale = stretcher.sample_rate / std::max(1.0, stretcher.pitch);
    double stretch = stretcher.tempo / stretcher.pitch;
    double piece = std::max(0, stretcher.engine.getSetting(SETTING_NOMINAL_OUTPUT_SEQUENCE));
    double overlap = std::ceil(overlap_seconds * scale), leeway = std::ceil(seek_seconds / 2 * scale);
    // As long as this is to come, no piece of the library's can have reached the end.
    double last = stretch < 1 ? (piece * (1 - stretch) + leeway + overlap) / stretch : piece / 2;
    last = std::ceil(std::max(last, overlap));

    std::vector<float> close = close_up(stretcher, static_cast<std::size_t>(last + leeway));
    std::size_t length = close.size() / channels;
    std::size_t earliest = count - std::min(count, length);
    std::size_t latest = std::max(earliest, count - std::min(count, static_cast<std::size_t>(last)));
    earliest = std::max(earliest, latest - std::min(latest, static_cast<std::size_t>(leeway)));
    std::size_t fade = std::min(count - latest, static_cast<std::size_t>(overlap));
    float *ending = stretcher.ending.data();
    // What is heard at a place is as far from the end in both: so the number of frames is what it should be.
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
        // What is held is going to be played at the new tempo.
        double held = stretcher->engine.numUnprocessedSamples();
        if (stretcher->given + stretcher->engine.numSamples() > 0) {
            // The next piece begins in the middle of where its place is looked for, which is among these frames.
            held = std::max(0.0, held - seek_seconds / 2 * stretcher->sample_rate);
        }
        // When the pitch goes down, it was made longer before.
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

// QUIRK: the library's own way to the end puts silence behind the sound, which is then heard in the last pieces and
// between them; or it leaves out what they do not reach. And what it held at a change of tempo, it counts by the
// tempo before.
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
        // An ending is made in another way.
        stretcher->engine.setTempo(stretcher->tempo);
        stretcher->engine.setSetting(SETTING_USE_QUICKSEEK, stretcher->is_quick ? 1 : 0);
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

#endif
