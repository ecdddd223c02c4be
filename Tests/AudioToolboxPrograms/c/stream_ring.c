/* SPDX-License-Identifier: MIT */

/*
 *  stream_ring.c
 *
 *  Streaming player: a ring of 16 buffers with "in use" flags, guarded by a mutex and a condition.
 *  One thread reads and parses, the queue's own thread gives the buffers back.
 *
 *      stream_ring FILE [BYTES-PER-READ [SEEK-SECONDS]]
 *
 *  With SEEK-SECONDS it plays half a second, then goes on from there, as a slider would make it.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define kNumAQBufs      16
#define kAQDefaultBufSize 2048
#define kAQMaxPacketDescs 512

typedef enum { AS_INITIALIZED, AS_WAITING_FOR_DATA, AS_PLAYING, AS_STOPPING, AS_STOPPED } StreamerState;

typedef struct Streamer {
    AudioFileStreamID            audioFileStream;
    AudioQueueRef                audioQueue;
    AudioQueueBufferRef          audioQueueBuffer[kNumAQBufs];
    AudioStreamPacketDescription packetDescs[kAQMaxPacketDescs];
    AudioStreamBasicDescription  asbd;
    unsigned int fillBufferIndex;
    UInt32       packetBufferSize;
    size_t       bytesFilled;
    size_t       packetsFilled;
    bool         inuse[kNumAQBufs];
    int          buffersUsed;
    StreamerState state;
    OSStatus     err;
    bool         discontinuous;
    double       seekTime;
    SInt64       dataOffset;
    pthread_mutex_t mutex;
    pthread_cond_t  queueBufferReady;
    pthread_cond_t  stoppedCondition;
} Streamer;

static void FailWith(Streamer *s, const char *what, OSStatus err)
{
    if (s->err == noErr) {
        fprintf(stderr, "%s err %d\n", what, (int)err);
        s->err = err;
    }
}

static void AQOutputCallback(void *client, AudioQueueRef aq, AudioQueueBufferRef buffer)
{
    Streamer *s = (Streamer *)client;
    for (int i = 0; i < kNumAQBufs; ++i) {
        if (buffer == s->audioQueueBuffer[i]) {
            pthread_mutex_lock(&s->mutex);
            s->inuse[i] = false;
            s->buffersUsed--;
            pthread_cond_signal(&s->queueBufferReady);
            pthread_mutex_unlock(&s->mutex);
            return;
        }
    }
    FailWith(s, "buffer mismatch", -1);
}

static void AQIsRunning(void *client, AudioQueueRef aq, AudioQueuePropertyID id)
{
    Streamer *s = (Streamer *)client;
    UInt32 running = 0, size = sizeof(running);

    /* The lock is held while the queue is asked, and by those who start and stop it. */
    pthread_mutex_lock(&s->mutex);
    AudioQueueGetProperty(aq, kAudioQueueProperty_IsRunning, &running, &size);
    if (running && s->state == AS_WAITING_FOR_DATA)
        s->state = AS_PLAYING;
    else if (!running && s->state == AS_STOPPING)
        s->state = AS_STOPPED;
    pthread_cond_broadcast(&s->stoppedCondition);
    pthread_mutex_unlock(&s->mutex);
}

static void CreateQueue(Streamer *s)
{
    UInt32 size = sizeof(UInt32), cookieSize = 0;
    Boolean writable;

    s->err = AudioQueueNewOutput(&s->asbd, AQOutputCallback, s, NULL, NULL, 0, &s->audioQueue);
    if (s->err) { fprintf(stderr, "AudioQueueNewOutput %d\n", (int)s->err); return; }
    AudioQueueAddPropertyListener(s->audioQueue, kAudioQueueProperty_IsRunning, AQIsRunning, s);

    if (AudioFileStreamGetProperty(s->audioFileStream, kAudioFileStreamProperty_PacketSizeUpperBound, &size,
                                   &s->packetBufferSize) || s->packetBufferSize == 0) {
        size = sizeof(UInt32);
        if (AudioFileStreamGetProperty(s->audioFileStream, kAudioFileStreamProperty_MaximumPacketSize, &size,
                                       &s->packetBufferSize) || s->packetBufferSize == 0)
            s->packetBufferSize = kAQDefaultBufSize;
    }
    if (s->packetBufferSize < kAQDefaultBufSize) s->packetBufferSize = kAQDefaultBufSize;
    for (int i = 0; i < kNumAQBufs; ++i) {
        OSStatus err = AudioQueueAllocateBuffer(s->audioQueue, s->packetBufferSize, &s->audioQueueBuffer[i]);
        if (err) { FailWith(s, "AudioQueueAllocateBuffer", err); return; }
    }

    if (AudioFileStreamGetPropertyInfo(s->audioFileStream, kAudioFileStreamProperty_MagicCookieData,
                                       &cookieSize, &writable))
        return;     /* no cookie, which is fine */
    void *cookie = calloc(1, cookieSize);
    if (AudioFileStreamGetProperty(s->audioFileStream, kAudioFileStreamProperty_MagicCookieData, &cookieSize,
                                   cookie) == noErr)
        AudioQueueSetProperty(s->audioQueue, kAudioQueueProperty_MagicCookie, cookie, cookieSize);
    free(cookie);
}

static void PropertyListener(void *client, AudioFileStreamID stream, AudioFileStreamPropertyID id, UInt32 *flags)
{
    Streamer *s = (Streamer *)client;
    UInt32 size;

    switch (id) {
    case kAudioFileStreamProperty_ReadyToProducePackets:
        s->discontinuous = true;
        break;
    case kAudioFileStreamProperty_DataOffset:
        size = sizeof(s->dataOffset);
        AudioFileStreamGetProperty(stream, id, &size, &s->dataOffset);
        break;
    case kAudioFileStreamProperty_DataFormat:
        if (s->asbd.mSampleRate == 0) {
            size = sizeof(s->asbd);
            AudioFileStreamGetProperty(stream, id, &size, &s->asbd);
        }
        break;
    case kAudioFileStreamProperty_FormatList: {
        Boolean writable;
        if (AudioFileStreamGetPropertyInfo(stream, id, &size, &writable)) break;
        AudioFormatListItem *list = malloc(size);
        if (AudioFileStreamGetProperty(stream, id, &size, list) == noErr)
            for (UInt32 i = 0; i * sizeof(AudioFormatListItem) < size; i++)
                if (list[i].mASBD.mFormatID == kAudioFormatMPEG4AAC_HE) { s->asbd = list[i].mASBD; break; }
        free(list);
        break;
    }
    }
}

static void EnqueueBuffer(Streamer *s)
{
    pthread_mutex_lock(&s->mutex);
    s->inuse[s->fillBufferIndex] = true;
    s->buffersUsed++;

    AudioQueueBufferRef fillBuf = s->audioQueueBuffer[s->fillBufferIndex];
    fillBuf->mAudioDataByteSize = (UInt32)s->bytesFilled;
    OSStatus err = AudioQueueEnqueueBuffer(s->audioQueue, fillBuf, (UInt32)s->packetsFilled,
                                           s->packetsFilled ? s->packetDescs : NULL);
    if (err) FailWith(s, "AudioQueueEnqueueBuffer", err);

    if (s->state == AS_INITIALIZED && s->buffersUsed == kNumAQBufs - 1) {
        s->state = AS_WAITING_FOR_DATA;
        err = AudioQueueStart(s->audioQueue, NULL);      /* with the lock held */
        if (err) FailWith(s, "AudioQueueStart", err);
    }
    if (++s->fillBufferIndex >= kNumAQBufs) s->fillBufferIndex = 0;
    s->bytesFilled = 0;
    s->packetsFilled = 0;
    while (s->inuse[s->fillBufferIndex] && !s->err)
        pthread_cond_wait(&s->queueBufferReady, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
}

static void PacketsProc(void *client, UInt32 numBytes, UInt32 numPackets, const void *input,
                        AudioStreamPacketDescription *descs)
{
    Streamer *s = (Streamer *)client;
    if (s->discontinuous) {
        s->discontinuous = false;
        if (!s->audioQueue) CreateQueue(s);
    }
    if (s->err) return;

    if (descs) {
        for (UInt32 i = 0; i < numPackets; ++i) {
            SInt64 offset = descs[i].mStartOffset, size = descs[i].mDataByteSize;
            if (size > s->packetBufferSize) { FailWith(s, "packet too large", -1); return; }
            if (s->packetBufferSize - s->bytesFilled < (size_t)size) EnqueueBuffer(s);
            if (s->err) return;
            AudioQueueBufferRef fillBuf = s->audioQueueBuffer[s->fillBufferIndex];
            memcpy((char *)fillBuf->mAudioData + s->bytesFilled, (const char *)input + offset, size);
            s->packetDescs[s->packetsFilled] = descs[i];
            s->packetDescs[s->packetsFilled].mStartOffset = s->bytesFilled;
            s->bytesFilled += size;
            s->packetsFilled += 1;
            if (s->packetsFilled == kAQMaxPacketDescs) EnqueueBuffer(s);
        }
    } else {
        size_t offset = 0;      /* constant packets: any number of bytes */
        while (numBytes && !s->err) {
            size_t space = s->packetBufferSize - s->packetBufferSize % s->asbd.mBytesPerPacket - s->bytesFilled;
            size_t copied = numBytes < space ? numBytes : space;
            AudioQueueBufferRef fillBuf = s->audioQueueBuffer[s->fillBufferIndex];
            memcpy((char *)fillBuf->mAudioData + s->bytesFilled, (const char *)input + offset, copied);
            s->bytesFilled += copied;
            numBytes -= copied;
            offset += copied;
            if (copied == space) EnqueueBuffer(s);
        }
    }
}

static void SeekTo(Streamer *s, FILE *file, double seconds)
{
    SInt64 packet = seconds * s->asbd.mSampleRate / (s->asbd.mFramesPerPacket ? s->asbd.mFramesPerPacket : 1);
    SInt64 byteOffset = 0;
    UInt32 ioFlags = 0;
    OSStatus err = AudioFileStreamSeek(s->audioFileStream, packet, &byteOffset, &ioFlags);
    if (err) { FailWith(s, "AudioFileStreamSeek", err); return; }

    AudioQueueReset(s->audioQueue);      /* every buffer comes back */
    s->bytesFilled = s->packetsFilled = 0;
    fseek(file, s->dataOffset + byteOffset, SEEK_SET);
    if (ioFlags & kAudioFileStreamSeekFlag_OffsetIsEstimated) s->discontinuous = true;
}

int main(int argc, char *argv[])
{
    static Streamer s = {.mutex = PTHREAD_MUTEX_INITIALIZER, .queueBufferReady = PTHREAD_COND_INITIALIZER,
                         .stoppedCondition = PTHREAD_COND_INITIALIZER, .seekTime = -1};
    if (argc < 2) return 64;
    FILE *file = fopen(argv[1], "rb");
    size_t chunk = argc > 2 ? atoi(argv[2]) : 2048;
    if (argc > 3) s.seekTime = atof(argv[3]);
    if (!file || chunk == 0) return 1;

    s.err = AudioFileStreamOpen(&s, PropertyListener, PacketsProc, 0, &s.audioFileStream);
    if (s.err) return 1;
    char *bytes = malloc(chunk);
    size_t length;
    UInt32 parseFlags = 0;
    while (!s.err && (length = fread(bytes, 1, chunk, file)) > 0) {
        OSStatus err = AudioFileStreamParseBytes(s.audioFileStream, (UInt32)length, bytes, parseFlags);
        if (err) FailWith(&s, "AudioFileStreamParseBytes", err);
        parseFlags = 0;
        AudioTimeStamp time;
        if (s.seekTime >= 0 && s.state == AS_PLAYING
            && AudioQueueGetCurrentTime(s.audioQueue, NULL, &time, NULL) == noErr
            && time.mSampleTime > s.asbd.mSampleRate / 2) {
            SeekTo(&s, file, s.seekTime);
            s.seekTime = -1;
            if (s.discontinuous) parseFlags = kAudioFileStreamParseFlag_Discontinuity;
        }
    }
    if (!s.audioQueue || s.err) return 1;

    if (s.bytesFilled) EnqueueBuffer(&s);
    pthread_mutex_lock(&s.mutex);
    if (s.state == AS_INITIALIZED) {     /* the file was shorter than the ring */
        s.state = AS_WAITING_FOR_DATA;
        AudioQueueStart(s.audioQueue, NULL);
    }
    while (s.state == AS_WAITING_FOR_DATA) pthread_cond_wait(&s.stoppedCondition, &s.mutex);
    s.state = AS_STOPPING;
    AudioQueueFlush(s.audioQueue);
    AudioQueueStop(s.audioQueue, false);
    while (s.state != AS_STOPPED) pthread_cond_wait(&s.stoppedCondition, &s.mutex);
    pthread_mutex_unlock(&s.mutex);

    AudioQueueDispose(s.audioQueue, true);
    AudioFileStreamClose(s.audioFileStream);
    fclose(file);
    free(bytes);
    return s.err ? 1 : 0;
}
