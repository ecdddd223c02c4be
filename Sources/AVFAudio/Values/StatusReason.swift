// SPDX-License-Identifier: MIT

import AudioToolbox

/// The reasons that statuses stand for.
enum StatusReason {
    /// Returns the reason of a status, in lower case; nil for a status without one.
    static func text(_ status: OSStatus) -> String? {
        switch status {
        case kAudioFileUnsupportedFileTypeError: "unknown file type"
        case kAudioFileUnsupportedDataFormatError: "the format is not supported"
        case kAudioFileInvalidFileError: "the file is damaged, or has another type"
        case kAudioFileUnspecifiedError: "the file cannot be read or written"
        case kAudioFilePermissionsError, kAudio_FilePermissionError: "permission denied"
        case kAudioFileFileNotFoundError, kAudio_FileNotFoundError: "no such file"
        case kAudio_BadFilePathError: "the path is not valid"
        case kAudioFileInvalidChunkError: "a part of the file is damaged"
        case kAudioFileInvalidPacketOffsetError: "the packet is outside the file"
        case kAudioFileOperationNotSupportedError: "the file type does not support this"
        case kAudioFileNotOpenError: "the file is closed"
        case kAudioFileEndOfFileError: "end of file"
        case kAudioFilePositionError: "the offset is outside the file"
        case kAudio_TooManyFilesOpenError: "too many open files"
        case kAudio_ParamError: "an argument is not valid"
        case kAudio_MemFullError: "not enough memory"
        case kAudioConverterErr_InvalidInputSize, kAudioConverterErr_InvalidOutputSize:
            "the buffer has no whole packets"
        case kAudioConverterErr_PropertyNotSupported: "no such property"
        case kExtAudioFileError_CodecUnavailableInputConsumed,
            kExtAudioFileError_CodecUnavailableInputNotConsumed:
            "the codec is not available"
        case kExtAudioFileError_NonPCMClientFormat: "the format of the buffers is not linear PCM"
        case kExtAudioFileError_InvalidDataFormat: "the format is not valid"
        case kExtAudioFileError_InvalidSeek: "the position is outside the file"
        case kAudioUnitErr_FailedInitialization: "the sound server or the device cannot be used"
        case kAudioUnitErr_FormatNotSupported: "the format is not supported"
        case kAudioUnitErr_InvalidPropertyValue: "the value is not valid"
        case kAudioUnitErr_TooManyFramesToProcess: "too many frames"
        default: nil
        }
    }
}
