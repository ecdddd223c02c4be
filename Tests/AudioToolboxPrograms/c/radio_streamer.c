/*
 * radio_streamer.c
 *
 * Plays an MP3 or AAC stream as it comes in: from standard input, or over HTTP/1.0 with a plain socket.
 *
 *     curl -s http://example.org/radio.mp3 | radio_streamer
 *     radio_streamer HOST PORT PATH [mp3|aac]
 *
 * Whatever the parser finds is copied into buffers; the callback gives them back through a semaphore.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <netdb.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define kBufferCount 8
#define kBufferSize  8192
#define kMaxDescs    256
#define kWarmUp      3          /* buffers before the sound starts */

struct Radio {
    AudioFileStreamID            parser;
    AudioQueueRef                queue;
    AudioQueueBufferRef          buffers[kBufferCount];
    AudioStreamPacketDescription descs[kMaxDescs];
    AudioStreamBasicDescription  format;
    UInt32                       filled, packets, current, enqueued;
    sem_t                        freeBuffers, finished;
    int                          started, failed;
};

static void OnBufferDone(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    sem_post(&((struct Radio *)data)->freeBuffers);
}

static void OnRunning(void *data, AudioQueueRef queue, AudioQueuePropertyID id)
{
    struct Radio *radio = data;
    UInt32 running = 0, size = sizeof running;
    AudioQueueGetProperty(queue, id, &running, &size);
    if (radio->started && !running) sem_post(&radio->finished);
}

static void OnProperty(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID id,
                       AudioFileStreamPropertyFlags *flags)
{
    struct Radio *radio = data;
    if (id != kAudioFileStreamProperty_ReadyToProducePackets) return;

    UInt32 size = sizeof radio->format;
    AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &radio->format);
    if (AudioQueueNewOutput(&radio->format, OnBufferDone, radio, NULL, NULL, 0, &radio->queue)) {
        radio->failed = 1;
        return;
    }
    AudioQueueAddPropertyListener(radio->queue, kAudioQueueProperty_IsRunning, OnRunning, radio);
    for (int i = 0; i < kBufferCount; i++)
        AudioQueueAllocateBuffer(radio->queue, kBufferSize, &radio->buffers[i]);

    Boolean writable;
    if (AudioFileStreamGetPropertyInfo(stream, kAudioFileStreamProperty_MagicCookieData, &size, &writable) == noErr
        && size > 0) {
        void *cookie = calloc(1, size);
        AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_MagicCookieData, &size, cookie);
        AudioQueueSetProperty(radio->queue, kAudioQueueProperty_MagicCookie, cookie, size);
        free(cookie);
    }
}

static void EnqueueCurrent(struct Radio *radio)
{
    if (radio->filled == 0) return;
    AudioQueueBufferRef buffer = radio->buffers[radio->current];
    buffer->mAudioDataByteSize = radio->filled;
    OSStatus err = AudioQueueEnqueueBuffer(radio->queue, buffer, radio->packets, radio->descs);
    if (err) {
        fprintf(stderr, "enqueue: %d\n", (int)err);
        radio->failed = 1;
        return;
    }
    radio->current = (radio->current + 1) % kBufferCount;
    radio->filled = radio->packets = 0;
    if (++radio->enqueued == kWarmUp) {
        radio->started = 1;
        AudioQueueStart(radio->queue, NULL);
    }
}

static void OnPackets(void *data, UInt32 bytes, UInt32 count, const void *input,
                      AudioStreamPacketDescription *descs)
{
    struct Radio *radio = data;
    if (radio->failed || descs == NULL) return;        /* compressed streams only */
    for (UInt32 i = 0; i < count; i++) {
        if (descs[i].mDataByteSize > kBufferSize) continue;
        if (radio->filled + descs[i].mDataByteSize > kBufferSize || radio->packets == kMaxDescs)
            EnqueueCurrent(radio);
        if (radio->filled == 0)
            while (sem_wait(&radio->freeBuffers)) ;
        memcpy((char *)radio->buffers[radio->current]->mAudioData + radio->filled,
               (const char *)input + descs[i].mStartOffset, descs[i].mDataByteSize);
        radio->descs[radio->packets] = descs[i];
        radio->descs[radio->packets].mStartOffset = radio->filled;
        radio->filled += descs[i].mDataByteSize;
        radio->packets++;
    }
}

static int Connect(const char *host, const char *port, const char *path)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found;
    if (getaddrinfo(host, port, &hints, &found)) return -1;
    int fd = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    if (fd < 0 || connect(fd, found->ai_addr, found->ai_addrlen)) return -1;
    freeaddrinfo(found);

    char text[1024];
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.0\r\nHost: %s\r\n\r\n", path, host);
    if (write(fd, text, length) != length) return -1;
    /* Skip the header a byte at a time: slow, and never a byte too far. */
    for (int newlines = 0; newlines < 2 && read(fd, text, 1) == 1; )
        if (text[0] == '\n') newlines++; else if (text[0] != '\r') newlines = 0;
    return fd;
}

int main(int argc, char **argv)
{
    static struct Radio radio;
    AudioFileTypeID hint = argc > 4 && !strcmp(argv[4], "aac") ? kAudioFileAAC_ADTSType : kAudioFileMP3Type;
    int fd = argc > 3 ? Connect(argv[1], argv[2], argv[3]) : STDIN_FILENO;
    if (fd < 0) return fprintf(stderr, "cannot connect\n"), 1;

    sem_init(&radio.freeBuffers, 0, kBufferCount);
    sem_init(&radio.finished, 0, 0);
    if (AudioFileStreamOpen(&radio, OnProperty, OnPackets, argc > 3 ? hint : 0, &radio.parser)) return 1;

    char bytes[2048];
    ssize_t got;
    while (!radio.failed && (got = read(fd, bytes, sizeof bytes)) > 0)
        if (AudioFileStreamParseBytes(radio.parser, (UInt32)got, bytes, 0)) radio.failed = 1;
    if (!radio.failed) AudioFileStreamParseBytes(radio.parser, 0, NULL, 0);
    if (!radio.queue || radio.failed) return fprintf(stderr, "not a stream that can be played\n"), 1;

    EnqueueCurrent(&radio);
    if (!radio.started) {
        radio.started = 1;
        AudioQueueStart(radio.queue, NULL);
    }
    AudioQueueFlush(radio.queue);
    AudioQueueStop(radio.queue, false);
    while (sem_wait(&radio.finished)) ;

    AudioFileStreamClose(radio.parser);
    AudioQueueDispose(radio.queue, true);
    return 0;
}
