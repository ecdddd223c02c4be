/* SPDX-License-Identifier: MIT */

/* plugin_player.c: loads the library as a plug-in's host does, plays, unloads it, and lives on.
   usage: plugin_player LIBRARY */
#include <AudioToolbox/AudioToolbox.h>
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 2) return 64;
    for (int turn = 0; turn < 2; turn++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
        __typeof__(AudioQueueNewOutput) *newOutput = dlsym(library, "AudioQueueNewOutput");
        __typeof__(AudioQueueAllocateBuffer) *allocate = dlsym(library, "AudioQueueAllocateBuffer");
        __typeof__(AudioQueueEnqueueBuffer) *enqueue = dlsym(library, "AudioQueueEnqueueBuffer");
        __typeof__(AudioQueueStart) *start = dlsym(library, "AudioQueueStart");
        __typeof__(AudioQueueDispose) *dispose = dlsym(library, "AudioQueueDispose");
        AudioStreamBasicDescription format = {44100, kAudioFormatLinearPCM,
            kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 2, 1, 2, 1, 16, 0};
        AudioQueueRef queue;
        AudioQueueBufferRef buffer;
        /* A callback that does nothing, in the host. */
        extern void returned(void *, AudioQueueRef, AudioQueueBufferRef);
        OSStatus err = newOutput(&format, returned, NULL, NULL, NULL, 0, &queue);
        if (!err) err = allocate(queue, 44100, &buffer);
        if (!err) {
            for (int i = 0; i < 22050; i++) ((SInt16 *)buffer->mAudioData)[i] = i / 50 % 2 ? 8000 : -8000;
            buffer->mAudioDataByteSize = 44100;
            err = enqueue(queue, buffer, 0, NULL);
        }
        if (!err) err = start(queue, NULL);
        if (err) return fprintf(stderr, "cannot play (%d)\n", (int)err), 1;
        usleep(300000);
        dispose(queue, true);
        dlclose(library);
        usleep(500000);
    }
    printf("done\n");
    return 0;
}

void returned(void *unused, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    (void)unused, (void)queue, (void)buffer;
}
