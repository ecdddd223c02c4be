/* Result codes that are not of one service. */
#ifndef AUDIO_ERRORS_H
#define AUDIO_ERRORS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

AUDIO_DECLARATIONS_BEGIN
AUDIO_CONSTANTS(OSStatus) {
    noErr = 0,
    kAudio_NoError = 0,
    kAudio_UnimplementedError = -4,
    kAudio_FileNotFoundError = -43,
    kAudio_TooManyFilesOpenError = -42,
    kAudio_ParamError = -50,
    kAudio_FilePermissionError = -54,
    kAudio_MemFullError = -108,
    kAudio_BadFilePathError = '!pth'
};
AUDIO_DECLARATIONS_END

#endif
