/* SPDX-License-Identifier: MIT */

// sound_mixer.cpp
// Sound effects as a small game engine of about 2010 had them: a queue for each voice, a pool of voices
// that are re-used, one lock for the lot.  The samples are made here, so that there is nothing to load.
//
//     sound_mixer [VOICES [SECONDS]]

#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

typedef std::vector<SInt16> Sample;

class Engine;

class Voice {
public:
    Voice() : m_engine(0), m_queue(0), m_buffer(0), m_sample(0), m_loops(0), m_busy(false) {}
    bool Init(Engine *engine, UInt32 maxFrames);
    void Shutdown() { if (m_queue) AudioQueueDispose(m_queue, true); m_queue = 0; }
    void Play(const Sample *sample, float volume, float pan, int loops);
    void Stop() { AudioQueueStop(m_queue, true); m_busy = false; }
    void SetPaused(bool paused) { if (paused) AudioQueuePause(m_queue); else if (m_busy) AudioQueueStart(m_queue, NULL); }
    bool IsBusy() const { return m_busy; }

private:
    static void BufferDone(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer);

    Engine *m_engine;
    AudioQueueRef m_queue;
    AudioQueueBufferRef m_buffer;
    const Sample *m_sample;
    int m_loops;
    volatile bool m_busy;
    friend class Engine;
};

class Engine {
public:
    explicit Engine(int voices) : m_voices(voices), m_played(0), m_dropped(0) {
        pthread_mutex_init(&m_lock, NULL);
        MakeSample("laser", 1200, 300, 0.15);
        MakeSample("step", 150, 100, 0.05);
        MakeSample("coin", 1500, 2000, 0.1);
        MakeSample("engine", 80, 80, 0.25);
        for (size_t i = 0; i < m_voices.size(); i++) m_voices[i].Init(this, 44100);
    }
    ~Engine() {
        for (size_t i = 0; i < m_voices.size(); i++) m_voices[i].Shutdown();
        pthread_mutex_destroy(&m_lock);
    }

    bool Play(const char *name, float volume, float pan, int loops = 0) {
        Lock();
        Voice *free = NULL;
        for (size_t i = 0; i < m_voices.size() && !free; i++)
            if (!m_voices[i].IsBusy()) free = &m_voices[i];
        if (free) { free->Play(&m_samples[name], volume, pan, loops); m_played++; }
        else m_dropped++;
        Unlock();
        return free != NULL;
    }
    void SetPaused(bool paused) {
        Lock();     // callbacks want this lock as well
        for (size_t i = 0; i < m_voices.size(); i++) m_voices[i].SetPaused(paused);
        Unlock();
    }
    void StopAll() { for (size_t i = 0; i < m_voices.size(); i++) m_voices[i].Stop(); }
    bool IsQuiet() const {
        for (size_t i = 0; i < m_voices.size(); i++) if (m_voices[i].IsBusy()) return false;
        return true;
    }
    void Lock() { pthread_mutex_lock(&m_lock); }
    void Unlock() { pthread_mutex_unlock(&m_lock); }
    int Played() const { return m_played; }
    int Dropped() const { return m_dropped; }

private:
    void MakeSample(const char *name, double from, double to, double seconds) {
        Sample &sample = m_samples[name];
        sample.resize(size_t(44100 * seconds));
        double phase = 0;
        for (size_t i = 0; i < sample.size(); i++) {
            double t = double(i) / sample.size();
            phase += 2 * M_PI * (from + (to - from) * t) / 44100;
            sample[i] = SInt16(6000 * (1 - t) * std::sin(phase));
        }
    }

    std::vector<Voice> m_voices;
    std::map<std::string, Sample> m_samples;
    pthread_mutex_t m_lock;
    int m_played, m_dropped;
};

bool Voice::Init(Engine *engine, UInt32 maxFrames) {
    AudioStreamBasicDescription desc;
    memset(&desc, 0, sizeof(desc));
    desc.mSampleRate = 44100;
    desc.mFormatID = kAudioFormatLinearPCM;
    desc.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked;
    desc.mChannelsPerFrame = 1;
    desc.mBitsPerChannel = 16;
    desc.mBytesPerPacket = desc.mBytesPerFrame = 2;
    desc.mFramesPerPacket = 1;
    m_engine = engine;
    if (AudioQueueNewOutput(&desc, BufferDone, this, NULL, kCFRunLoopCommonModes, 0, &m_queue) != noErr) return false;
    return AudioQueueAllocateBuffer(m_queue, maxFrames * 2, &m_buffer) == noErr;
}

void Voice::Play(const Sample *sample, float volume, float pan, int loops) {
    if (!m_queue) return;
    m_sample = sample;
    m_loops = loops;
    m_busy = true;
    AudioQueueReset(m_queue);
    memcpy(m_buffer->mAudioData, &(*sample)[0], sample->size() * 2);
    m_buffer->mAudioDataByteSize = UInt32(sample->size() * 2);

    AudioQueueParameterEvent events[2] = {{kAudioQueueParam_Volume, volume}, {kAudioQueueParam_Pan, pan}};
    AudioQueueEnqueueBufferWithParameters(m_queue, m_buffer, 0, NULL, 0, 0, 2, events, NULL, NULL);
    AudioQueueStart(m_queue, NULL);     // the queue was left running by the last sound, mostly
}

void Voice::BufferDone(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    Voice *self = static_cast<Voice *>(data);
    self->m_engine->Lock();
    if (self->m_busy && self->m_loops > 0) {
        self->m_loops--;
        AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    } else {
        self->m_busy = false;
        // Nothing more now; it keeps running, silent, so that the next shot has no delay.
    }
    self->m_engine->Unlock();
}

int main(int argc, char **argv) {
    int voices = argc > 1 ? atoi(argv[1]) : 8;
    double seconds = argc > 2 ? atof(argv[2]) : 2;
    static const char *const names[] = {"laser", "step", "coin"};
    Engine engine(std::max(voices, 1));

    engine.Play("engine", 0.3f, 0, int(seconds * 4) - 1);
    for (int frame = 0; frame < seconds * 30; frame++) {
        if (frame % 5 == 0) engine.Play(names[(frame / 5) % 3], 0.5f, std::sin(frame * 0.2f));
        if (frame == 15) engine.SetPaused(true);
        if (frame == 20) engine.SetPaused(false);
        usleep(1000000 / 30);
    }
    for (int i = 0; i < 100 && !engine.IsQuiet(); i++) usleep(20000);
    usleep(300000);
    engine.StopAll();
    std::printf("%d sounds, %d dropped\n", engine.Played(), engine.Dropped());
    return engine.Played() > 0 ? 0 : 1;
}
