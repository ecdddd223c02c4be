/* SPDX-License-Identifier: MIT */

/*
 * old_devices.c
 *
 * The hardware as programs asked for it before 10.6: functions of the system, of devices and of streams.
 *
 *     old_devices [COMMAND]     COMMAND makes another sink the default one, which the program is to hear of
 */
#include <CoreAudio/CoreAudio.h>
#include <mach/mach_time.h>
#include <os/lock.h>
#include <os/log.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;
#define CHECK(condition) \
    do { if (!(condition)) failures++, fprintf(stderr, "line %d: %s\n", __LINE__, #condition); } while (0)

static os_unfair_lock lock = OS_UNFAIR_LOCK_INIT;
static int changes, counter;

static OSStatus default_changed(AudioHardwarePropertyID property, void *data)
{
    os_unfair_lock_lock(&lock);
    if (property == kAudioHardwarePropertyDefaultOutputDevice && data == &changes) changes++;
    os_unfair_lock_unlock(&lock);
    return noErr;
}

static OSStatus device_changed(AudioDeviceID device, UInt32 channel, Boolean input, AudioDevicePropertyID property, void *data)
{
    (void)device, (void)channel, (void)input, (void)property, (void)data;
    return noErr;
}

static OSStatus stream_changed(AudioStreamID stream, UInt32 channel, AudioDevicePropertyID property, void *data)
{
    (void)stream, (void)channel, (void)property, (void)data;
    return noErr;
}

static void list_devices(void)
{
    UInt32 size = 0;
    Boolean writable = true;
    CHECK(AudioHardwareGetPropertyInfo(kAudioHardwarePropertyDevices, &size, &writable) == noErr && !writable);
    CHECK(AudioHardwareGetPropertyInfo(kAudioHardwarePropertyDevices, NULL, NULL) == noErr);
    CHECK(AudioHardwareGetPropertyInfo('none', &size, NULL) == kAudioHardwareUnknownPropertyError);
    AudioDeviceID *devices = malloc(size);
    CHECK(AudioHardwareGetProperty(kAudioHardwarePropertyDevices, &size, devices) == noErr);
    for (UInt32 i = 0; i < size / sizeof *devices; i++) {
        char name[256], few[5];
        UInt32 bytes = sizeof name, room = sizeof few;
        CHECK(AudioDeviceGetProperty(devices[i], 0, false, kAudioDevicePropertyDeviceName, &bytes, name) == noErr);
        CHECK(bytes == strlen(name) + 1);
        CHECK(AudioDeviceGetPropertyInfo(devices[i], 0, false, kAudioDevicePropertyDeviceName, &bytes, &writable) == noErr);
        CHECK(bytes == strlen(name) + 1 && !writable);
        CHECK(AudioDeviceGetProperty(devices[i], 0, false, kAudioDevicePropertyDeviceName, &room, few) == noErr);
        CHECK(strlen(few) == 4 && !strncmp(few, name, 4));
        bytes = sizeof name;
        char maker[256];
        CHECK(AudioDeviceGetProperty(devices[i], 0, true, kAudioDevicePropertyDeviceManufacturer, &bytes, maker) == noErr);
        printf("%s\n", name);
    }
    free(devices);
}

static void use_default_device(void)
{
    AudioDeviceID device = kAudioDeviceUnknown;
    UInt32 size = sizeof device;
    CHECK(AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &device) == noErr);
    CHECK(AudioHardwareSetProperty(kAudioHardwarePropertyDefaultOutputDevice, size, &device)
          == kAudioHardwareUnsupportedOperationError);
    Float64 rate = 0;
    size = sizeof rate;
    CHECK(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyNominalSampleRate, &size, &rate) == noErr);
    CHECK(AudioDeviceSetProperty(device, NULL, 0, false, kAudioDevicePropertyNominalSampleRate, size, &rate) == noErr);
    rate += 1;
    CHECK(AudioDeviceSetProperty(device, NULL, 0, false, kAudioDevicePropertyNominalSampleRate, size, &rate)
          == kAudioDeviceUnsupportedFormatError);
    /* Each channel has a volume, and the device has no third. */
    Float32 volume = -1;
    size = sizeof volume;
    CHECK(AudioDeviceGetProperty(device, 1, false, kAudioDevicePropertyVolumeScalar, &size, &volume) == noErr && volume >= 0);
    CHECK(AudioDeviceGetProperty(device, 33, false, kAudioDevicePropertyVolumeScalar, &size, &volume)
          == kAudioHardwareUnknownPropertyError);

    AudioStreamID stream = 0;
    size = sizeof stream;
    CHECK(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyStreams, &size, &stream) == noErr);
    AudioObjectID owner = 0;
    CHECK(AudioStreamGetPropertyInfo(stream, 0, kAudioObjectPropertyOwner, &size, NULL) == noErr && size == sizeof owner);
    CHECK(AudioStreamGetProperty(stream, 0, kAudioObjectPropertyOwner, &size, &owner) == noErr && owner == device);
    CHECK(AudioStreamSetProperty(stream, NULL, 0, kAudioObjectPropertyOwner, size, &owner)
          == kAudioHardwareUnsupportedOperationError);

    CHECK(AudioDeviceAddPropertyListener(device, 0, false, kAudioDevicePropertyDeviceIsAlive, device_changed, NULL) == noErr);
    CHECK(AudioDeviceRemovePropertyListener(device, 0, false, kAudioDevicePropertyDeviceIsAlive, device_changed) == noErr);
    CHECK(AudioDeviceRemovePropertyListener(device, 0, false, kAudioDevicePropertyDeviceIsAlive, device_changed)
          == kAudioHardwareIllegalOperationError);
    CHECK(AudioStreamAddPropertyListener(stream, 0, kAudioObjectPropertyName, stream_changed, NULL) == noErr);
    CHECK(AudioStreamRemovePropertyListener(stream, 0, kAudioObjectPropertyName, stream_changed) == noErr);
}

static void hear_of_default(const char *command)
{
    const AudioHardwarePropertyID property = kAudioHardwarePropertyDefaultOutputDevice;
    CHECK(AudioHardwareAddPropertyListener(property, default_changed, &changes) == noErr);
    CHECK(system(command) == 0);
    uint64_t end = mach_absolute_time() + 5000000000u;
    int heard = 0;
    while (!heard && mach_absolute_time() < end) {
        usleep(10000);
        os_unfair_lock_lock(&lock);
        heard = changes;
        os_unfair_lock_unlock(&lock);
    }
    CHECK(heard > 0);
    CHECK(AudioHardwareRemovePropertyListener(property, default_changed) == noErr);
}

static void *count(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        os_unfair_lock_lock(&lock);
        counter++;
        os_unfair_lock_unlock(&lock);
    }
    return NULL;
}

static void use_lock(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK(counter == 400000);
    os_unfair_lock_assert_not_owner(&lock);
    CHECK(os_unfair_lock_trylock(&lock));
    CHECK(!os_unfair_lock_trylock(&lock));
    os_unfair_lock_assert_owner(&lock);
    os_unfair_lock_unlock(&lock);
}

static void use_clock(void)
{
    mach_timebase_info_data_t base;
    CHECK(mach_timebase_info(&base) == KERN_SUCCESS && base.numer > 0 && base.denom > 0);
    UInt64 before = AudioGetCurrentHostTime(), now = mach_absolute_time();
    CHECK(before <= now && now <= AudioGetCurrentHostTime());
    CHECK(AudioConvertHostTimeToNanos(now) == now * base.numer / base.denom);
    CHECK(mach_continuous_time() >= now && mach_approximate_time() + 20000000u >= now);
    CHECK(mach_wait_until(now + 20000000u) == KERN_SUCCESS && mach_absolute_time() >= now + 20000000u);
}

/* By macros, which call aq_os_log. */
static void use_log(void)
{
    os_log_t log = os_log_create("org.example.old", "devices");
    CHECK(os_log_type_enabled(log, OS_LOG_TYPE_INFO) && !os_log_type_enabled(OS_LOG_DISABLED, OS_LOG_TYPE_FAULT));
    os_log(OS_LOG_DEFAULT, "%d failures, 100%%", failures);
    os_log_error(log, "user %{private}s, number %{private}lld, gain %{sensitive}*.*f of %{private, mask.hash}Lf, device %{public}s, %.1f dB",
                 "secret", 1234567890123LL, 8, 2, 0.5, 1.0L, "sink", -3.0);
    os_log_debug(log, "not shown");
}

int main(int argc, char **argv)
{
    list_devices();
    use_default_device();
    if (argc > 1) hear_of_default(argv[1]);
    CHECK(AudioHardwareUnload() == noErr);
    use_lock();
    use_clock();
    use_log();
    printf("%d failures\n", failures);
    return failures != 0;
}
