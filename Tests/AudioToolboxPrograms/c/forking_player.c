/* SPDX-License-Identifier: MIT */

/* forking_player.c: a player that handles its signals on its own thread, and forks while it plays.   usage: forking_player */
#include <AudioToolbox/AudioToolbox.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void fill(void *unused, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    (void)unused;
    SInt16 *samples = buffer->mAudioData;
    for (UInt32 i = 0; i < buffer->mAudioDataBytesCapacity / 2; i++) samples[i] = i / 50 % 2 ? 8000 : -8000;
    buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

/* The threads of the library that a handler for this signal could be run on. */
static int threads_open_to(int number)
{
    int open = 0, threads = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        if (task->d_name[0] == '.' || atoi(task->d_name) == getpid()) continue;
        char path[64], line[256];
        snprintf(path, sizeof path, "/proc/self/task/%.20s/status", task->d_name);
        FILE *status = fopen(path, "r");
        while (status && fgets(line, sizeof line, status))
            if (!strncmp(line, "SigBlk:", 7) && !(strtoull(line + 7, NULL, 16) >> (number - 1) & 1)) open++;
        if (status) fclose(status);
        threads++;
    }
    closedir(tasks);
    return threads ? open : -1;
}

static int expect(const char *call, OSStatus status)
{
    if (status == noErr) fprintf(stderr, "%s: no error in a forked child\n", call);
    return status == noErr;
}

static int child(AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioStreamBasicDescription *format)
{
    alarm(5);    /* none of them may hang */
    AudioQueueRef other = NULL;
    AudioQueueBufferRef more = NULL;
    UInt32 value = 0, size = sizeof value;
    AudioQueueParameterValue volume = 0;
    AudioTimeStamp now;
    AudioObjectPropertyAddress devices = {kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal, 0};
    int failures = 0;
    failures += expect("Start", AudioQueueStart(queue, NULL));
    failures += expect("Enqueue", AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
    failures += expect("Allocate", AudioQueueAllocateBuffer(queue, 4096, &more));
    failures += expect("GetParameter", AudioQueueGetParameter(queue, kAudioQueueParam_Volume, &volume));
    failures += expect("GetProperty", AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &value, &size));
    failures += expect("GetCurrentTime", AudioQueueGetCurrentTime(queue, NULL, &now, NULL));
    failures += expect("Pause", AudioQueuePause(queue));
    failures += expect("Flush", AudioQueueFlush(queue));
    failures += expect("Reset", AudioQueueReset(queue));
    failures += expect("Stop", AudioQueueStop(queue, true));
    failures += expect("Dispose", AudioQueueDispose(queue, true));
    failures += expect("NewOutput", AudioQueueNewOutput(format, fill, NULL, NULL, NULL, 0, &other));
    failures += expect("Devices", AudioObjectGetPropertyDataSize(kAudioObjectSystemObject, &devices, 0, NULL, &size));
    return failures;
}

int main(void)
{
    AudioStreamBasicDescription format = {44100, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
                                          2, 1, 2, 1, 16, 0};
    AudioQueueRef queue;
    AudioQueueBufferRef buffer = NULL;
    OSStatus err = AudioQueueNewOutput(&format, fill, NULL, NULL, NULL, 0, &queue);
    if (err) return fprintf(stderr, "cannot make a queue (%d)\n", (int)err), 1;
    for (int i = 0; i < 3; i++) {
        AudioQueueAllocateBuffer(queue, 4410, &buffer);
        fill(NULL, queue, buffer);
    }
    err = AudioQueueStart(queue, NULL);
    if (err) return fprintf(stderr, "cannot start (%d)\n", (int)err), 1;
    usleep(200000);

    static const int numbers[] = {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD, SIGPIPE, SIGWINCH};
    int failures = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int open = threads_open_to(numbers[i]);
        if (open) fprintf(stderr, "%d threads take signal %d\n", open, numbers[i]);
        failures += open != 0;
    }
    /* A handler of faults is to hear of one in a callback. */
    if (threads_open_to(SIGSEGV) == 0) fprintf(stderr, "no thread reports a fault\n"), failures++;

    int status = 0;
    pid_t process = fork();
    if (process == 0) _exit(child(queue, buffer, &format));
    waitpid(process, &status, 0);
    failures += status != 0;
    if (WIFSIGNALED(status)) fprintf(stderr, "the child ended by signal %d\n", WTERMSIG(status));
    /* The parent's queue is as it was. */
    failures += AudioQueueStop(queue, true) != noErr;
    failures += AudioQueueDispose(queue, true) != noErr;
    printf("%d failures\n", failures);
    return failures != 0;
}
