/* SPDX-License-Identifier: MIT */

/* alert_sounds.c: a game's sound effect, as on a telephone.   usage: alert_sounds FILE COUNT
 * The audio session comes first, then the sound; the completion plays it again, and disposes of it in the end. */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int left, changes;

static void interrupted(void *unused, UInt32 state)
{
    printf("%s\n", state == kAudioSessionBeginInterruption ? "interrupted" : "resumed");
}

static void route_changed(void *unused, AudioSessionPropertyID id, UInt32 size, const void *data)
{
    CFDictionaryRef change = data;
    CFNumberRef reason = CFDictionaryGetValue(change, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
    SInt32 number = -1;
    if (id == kAudioSessionProperty_AudioRouteChange && reason != NULL) {
        CFNumberGetValue(reason, kCFNumberSInt32Type, &number);
        if (number == kAudioSessionRouteChangeReason_CategoryChange) changes++;
    }
}

static int has_headphones(void)
{
    CFDictionaryRef route = NULL;
    UInt32 size = sizeof route;
    int found = 0;
    AudioSessionGetProperty(kAudioSessionProperty_AudioRouteDescription, &size, &route);
    if (route == NULL) return 0;
    CFArrayRef outputs = CFDictionaryGetValue(route, kAudioSession_AudioRouteKey_Outputs);
    for (CFIndex i = 0; i < CFArrayGetCount(outputs); i++) {
        CFDictionaryRef port = CFArrayGetValueAtIndex(outputs, i);
        CFStringRef type = CFDictionaryGetValue(port, kAudioSession_AudioRouteKey_Type);
        if (CFStringCompare(type, kAudioSessionOutputRoute_Headphones, 0) == kCFCompareEqualTo) found = 1;
    }
    CFRelease(route);
    return found;
}

static void played(SystemSoundID sound, void *unused)
{
    if (--left > 0) {
        AudioServicesPlaySystemSound(sound);
        return;
    }
    AudioServicesRemoveSystemSoundCompletion(sound);
    AudioServicesDisposeSystemSoundID(sound);
    CFRunLoopStop(CFRunLoopGetMain());
}

int main(int argc, char **argv)
{
    if (argc != 3) return 64;
    left = atoi(argv[2]);

    AudioSessionInitialize(NULL, NULL, interrupted, NULL);
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, route_changed, NULL);
    UInt32 category = kAudioSessionCategory_AmbientSound;
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category);
    AudioSessionSetActive(true);

    CFStringRef route = NULL;
    UInt32 size = sizeof route;
    char name[64] = "";
    if (AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route) == 0 && route != NULL)
        CFStringGetCString(route, name, sizeof name, kCFStringEncodingUTF8);
    printf("route %s, headphones %d\n", name, has_headphones());

    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (UInt8 *)argv[1], strlen(argv[1]), false);
    SystemSoundID sound;
    OSStatus err = AudioServicesCreateSystemSoundID(url, &sound);
    CFRelease(url);
    if (err) return fprintf(stderr, "no sound %s (%d)\n", argv[1], (int)err), 1;
    AudioServicesAddSystemSoundCompletion(sound, NULL, NULL, played, NULL);
    AudioServicesPlaySystemSound(kSystemSoundID_Vibrate);
    AudioServicesPlaySystemSound(sound);
    CFRunLoopRun();
    printf("left %d, changes %d\n", left, changes);
    AudioSessionSetActive(false);
    return 0;
}
