/* SPDX-License-Identifier: MIT */

/* The result codes that several services share. */
#ifndef AUDIO_ERRORS_H
#define AUDIO_ERRORS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

AUDIO_DECLARATIONS_BEGIN
AUDIO_CONSTANTS(OSStatus) {
    noErr = 0,                          /* no error */
    kAudio_NoError = 0,                 /* no error */
    kAudio_UnimplementedError = -4,     /* not implemented here */
    kAudio_FileNotFoundError = -43,     /* there is no such file */
    kAudio_TooManyFilesOpenError = -42, /* the process has too many files open */
    kAudio_ParamError = -50,            /* an argument is missing or invalid */
    kAudio_FilePermissionError = -54,   /* the file may not be opened */
    kAudio_MemFullError = -108,         /* not enough memory */
    kAudio_BadFilePathError = '!pth'    /* the path is invalid */
};
AUDIO_DECLARATIONS_END

#endif
