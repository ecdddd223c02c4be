/* SPDX-License-Identifier: MIT */

/* SoundTouch, loaded on first use.
 *
 * Its functions are found by the names of the C++ binary interface. Virtual functions need no name, because the
 * constructor sets the table of the object that it makes. */
#ifndef CSOUNDTOUCH_LIBRARY_H
#define CSOUNDTOUCH_LIBRARY_H

#include <soundtouch/SoundTouch.h>

namespace sound_touch {

/* The functions of the library that are not virtual. */
struct functions {
    void (*construct)(soundtouch::SoundTouch *);
    void (*set_channels)(soundtouch::SoundTouch *, unsigned);
    void (*set_sample_rate)(soundtouch::SoundTouch *, unsigned);
    void (*set_tempo)(soundtouch::SoundTouch *, double);
    void (*set_pitch)(soundtouch::SoundTouch *, double);
    bool (*set_setting)(soundtouch::SoundTouch *, int, int);
    int (*get_setting)(const soundtouch::SoundTouch *, int);
};

/* Loads the library at the first call. Returns null if that fails, and `failure` the reason. */
const functions *load();
const char *failure();

/* An object of the library. May be made only if the library is loaded. */
class engine {
  public:
    engine() : library(*load()) { library.construct(object()); }
    ~engine() { object()->~SoundTouch(); }
    engine(const engine &) = delete;
    engine &operator=(const engine &) = delete;

    void setChannels(unsigned channels) { library.set_channels(object(), channels); }
    void setSampleRate(unsigned rate) { library.set_sample_rate(object(), rate); }
    void setTempo(double tempo) { library.set_tempo(object(), tempo); }
    void setPitch(double pitch) { library.set_pitch(object(), pitch); }
    void setSetting(int setting, int value) { library.set_setting(object(), setting, value); }
    int getSetting(int setting) const { return library.get_setting(object(), setting); }

    void clear() { object()->clear(); }
    void putSamples(const float *frames, unsigned count) { object()->putSamples(frames, count); }
    unsigned receiveSamples(float *frames, unsigned count) { return object()->receiveSamples(frames, count); }
    unsigned numSamples() const { return object()->numSamples(); }
    unsigned numUnprocessedSamples() const { return object()->numUnprocessedSamples(); }

  private:
    // Not a member of the class itself, whose constructor would have to be linked.
    soundtouch::SoundTouch *object() { return reinterpret_cast<soundtouch::SoundTouch *>(memory); }
    const soundtouch::SoundTouch *object() const {
        return reinterpret_cast<const soundtouch::SoundTouch *>(memory);
    }

    const functions &library;
    alignas(soundtouch::SoundTouch) unsigned char memory[sizeof(soundtouch::SoundTouch)];
};

} // namespace sound_touch

#endif
