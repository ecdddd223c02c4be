/*
 * error_name.c
 *
 * What does -66681 mean?  Names the result codes of the queue, the file and the converter functions.
 *
 *     error_name CODE...      (-50, 1718449215 or fmt?)
 */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define E(name) {name, #name}

static const struct { OSStatus code; const char *name; } errors[] = {
    E(kAudioQueueErr_InvalidBuffer), E(kAudioQueueErr_BufferEmpty), E(kAudioQueueErr_DisposalPending),
    E(kAudioQueueErr_InvalidProperty), E(kAudioQueueErr_InvalidPropertySize), E(kAudioQueueErr_InvalidParameter),
    E(kAudioQueueErr_CannotStart), E(kAudioQueueErr_InvalidDevice), E(kAudioQueueErr_BufferInQueue),
    E(kAudioQueueErr_InvalidRunState), E(kAudioQueueErr_InvalidQueueType), E(kAudioQueueErr_Permissions),
    E(kAudioQueueErr_InvalidPropertyValue), E(kAudioQueueErr_PrimeTimedOut), E(kAudioQueueErr_CodecNotFound),
    E(kAudioQueueErr_InvalidCodecAccess), E(kAudioQueueErr_QueueInvalidated), E(kAudioQueueErr_TooManyTaps),
    E(kAudioQueueErr_InvalidTapContext), E(kAudioQueueErr_RecordUnderrun), E(kAudioQueueErr_InvalidTapType),
    E(kAudioQueueErr_BufferEnqueuedTwice), E(kAudioQueueErr_CannotStartYet), E(kAudioQueueErr_EnqueueDuringReset),
    E(kAudioQueueErr_InvalidOfflineMode),
    E(kAudioFileUnspecifiedError), E(kAudioFileUnsupportedFileTypeError), E(kAudioFileUnsupportedDataFormatError),
    E(kAudioFileUnsupportedPropertyError), E(kAudioFileBadPropertySizeError), E(kAudioFilePermissionsError),
    E(kAudioFileNotOptimizedError), E(kAudioFileInvalidChunkError), E(kAudioFileDoesNotAllow64BitDataSizeError),
    E(kAudioFileInvalidPacketOffsetError), E(kAudioFileInvalidFileError), E(kAudioFileOperationNotSupportedError),
    E(kAudioFileNotOpenError), E(kAudioFileEndOfFileError), E(kAudioFilePositionError), E(kAudioFileFileNotFoundError),
    E(kAudioFileStreamError_UnsupportedDataFormat), E(kAudioFileStreamError_DataUnavailable), E(kAudioFileStreamError_ValueUnknown),
    E(kAudioFileStreamError_IllegalOperation), E(kAudioFileStreamError_DiscontinuityCantRecover),
    E(kAudioConverterErr_FormatNotSupported), E(kAudioFormatUnsupportedDataFormatError),
    E(kAudioConverterErr_OperationNotSupported), E(kAudioConverterErr_PropertyNotSupported),
    E(kAudioConverterErr_InvalidInputSize), E(kAudioConverterErr_InvalidOutputSize),
    E(kAudioConverterErr_RequiresPacketDescriptionsError), E(kAudioConverterErr_InputSampleRateOutOfRange),
    E(kAudioConverterErr_OutputSampleRateOutOfRange), E(kAudioFormatUnknownFormatError),
    E(kAudioFormatBadSpecifierSizeError), E(kExtAudioFileError_InvalidProperty),
    E(kExtAudioFileError_NonPCMClientFormat), E(kExtAudioFileError_InvalidOperationOrder),
    E(kExtAudioFileError_InvalidSeek), E(kExtAudioFileError_AsyncWriteTooLarge),
    E(kAudio_ParamError), E(kAudio_UnimplementedError), E(kAudio_MemFullError), E(kAudio_FilePermissionError),
};

int main(int argc, char **argv)
{
    int unknown = 0;
    for (int i = 1; i < argc; i++) {
        char *end;
        OSStatus code = (OSStatus)strtol(argv[i], &end, 10);
        int found = 0;
        if (*end && strlen(argv[i]) == 4)
            code = (UInt32)argv[i][0] << 24 | (UInt32)argv[i][1] << 16 | (UInt32)argv[i][2] << 8 | (UInt32)argv[i][3];
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
            if (errors[e].code == code) {
                printf("%s%s", found++ ? " or " : "", errors[e].name);
            }
        printf("%s\n", found ? "" : "unknown");
        unknown += !found;
    }
    return unknown != 0;
}
