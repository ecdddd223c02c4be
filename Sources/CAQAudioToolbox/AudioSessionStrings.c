/* SPDX-License-Identifier: MIT */

/* The string constants of AudioSession.h. CoreFoundation's headers belong to the toolchain: Swift's importer finds them,
 * this compiler does not. Therefore the strings are not constants of the compiler, but made when the library is loaded. */
#include <stdint.h>

/* CoreFoundation's function, and its number of UTF-8. */
extern const void *CFStringCreateWithCString(const void *allocator, const char *text, uint32_t encoding);
static const uint32_t utf8 = 0x08000100;

/* The header declares these variables as constants: only this file changes them, before any program reads them. */
#define AUDIO_SESSION_STRINGS(STRING)                                                                      \
    STRING(kAudioSession_RouteChangeKey_Reason, "OutputDeviceDidChange_Reason")                            \
    STRING(kAudioSession_AudioRouteChangeKey_PreviousRouteDescription,                                     \
        "ActiveAudioRouteDidChange_OldDetailedRoute")                                                      \
    STRING(kAudioSession_AudioRouteChangeKey_CurrentRouteDescription,                                      \
        "ActiveAudioRouteDidChange_NewDetailedRoute")                                                      \
    STRING(kAudioSession_AudioRouteKey_Inputs, "RouteDetailedDescription_Inputs")                          \
    STRING(kAudioSession_AudioRouteKey_Outputs, "RouteDetailedDescription_Outputs")                        \
    STRING(kAudioSession_AudioRouteKey_Type, "RouteDetailedDescription_PortType")                          \
    STRING(kAudioSessionInputRoute_LineIn, "LineIn")                                                       \
    STRING(kAudioSessionInputRoute_BuiltInMic, "MicrophoneBuiltIn")                                        \
    STRING(kAudioSessionInputRoute_HeadsetMic, "MicrophoneWired")                                          \
    STRING(kAudioSessionInputRoute_BluetoothHFP, "MicrophoneBluetooth")                                    \
    STRING(kAudioSessionInputRoute_USBAudio, "USBInput")                                                   \
    STRING(kAudioSessionOutputRoute_LineOut, "LineOut")                                                    \
    STRING(kAudioSessionOutputRoute_Headphones, "Headphones")                                              \
    STRING(kAudioSessionOutputRoute_BluetoothHFP, "BluetoothHFPOutput")                                    \
    STRING(kAudioSessionOutputRoute_BluetoothA2DP, "BluetoothA2DPOutput")                                  \
    STRING(kAudioSessionOutputRoute_BuiltInReceiver, "Receiver")                                           \
    STRING(kAudioSessionOutputRoute_BuiltInSpeaker, "Speaker")                                             \
    STRING(kAudioSessionOutputRoute_USBAudio, "USBOutput")                                                 \
    STRING(kAudioSessionOutputRoute_HDMI, "HDMIOutput")                                                    \
    STRING(kAudioSessionOutputRoute_AirPlay, "AirPlay")                                                    \
    STRING(kAudioSession_InputSourceKey_ID, "input source ID")                                             \
    STRING(kAudioSession_InputSourceKey_Description, "input source name")                                  \
    STRING(kAudioSession_OutputDestinationKey_ID, "output destination ID")                                 \
    STRING(kAudioSession_OutputDestinationKey_Description, "output destination name")

#define DECLARE(name, text) const void *name;
AUDIO_SESSION_STRINGS(DECLARE)

__attribute__((constructor)) static void makeStrings(void) {
#define MAKE(name, text) name = CFStringCreateWithCString(0, text, utf8);
    AUDIO_SESSION_STRINGS(MAKE)
}
