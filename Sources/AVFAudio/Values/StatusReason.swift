// SPDX-License-Identifier: MIT

import AudioToolbox

/// The reasons of statuses of files, converters and formats, in words.
enum StatusReason {
    /// The reason that a status stands for; nil for a status without a known one.
    static func text(_ status: OSStatus) -> String? { texts[status] }

    private static let texts: [OSStatus: String] = [
        kAudio_UnimplementedError: "not supported", kAudio_FileNotFoundError: "no such file",
        kAudio_FilePermissionError: "permission denied", kAudio_TooManyFilesOpenError: "too many open files",
        kAudio_BadFilePathError: "not the path of a file", kAudio_ParamError: "an argument is not valid",
        kAudio_MemFullError: "not enough memory",

        kAudioFileUnspecifiedError: "the file cannot be opened, read or written",
        kAudioFileUnsupportedFileTypeError: "unknown file type",
        kAudioFileUnsupportedDataFormatError: "the format is not supported",
        kAudioFileUnsupportedPropertyError: "files of this type do not have the property",
        kAudioFileBadPropertySizeError: "a property has another size",
        kAudioFilePermissionsError: "permission denied",
        kAudioFileNotOptimizedError: "there is no room before the audio",
        kAudioFileInvalidChunkError: "there is no such chunk",
        kAudioFileDoesNotAllow64BitDataSizeError: "the file would be too large for its type",
        kAudioFileInvalidPacketOffsetError: "there is no such packet",
        kAudioFileInvalidPacketDependencyError: "packets that the decoder needs are missing",
        kAudioFileInvalidFileError: "the file is damaged",
        kAudioFileOperationNotSupportedError: "the operation is not supported",
        kAudioFileNotOpenError: "the file is not open", kAudioFileEndOfFileError: "end of file",
        kAudioFilePositionError: "there is no such position",

        kExtAudioFileError_InvalidProperty: "the file does not have the property",
        kExtAudioFileError_InvalidPropertySize: "a property has another size",
        kExtAudioFileError_NonPCMClientFormat: "buffers have to be linear PCM",
        kExtAudioFileError_InvalidChannelMap: "the channels do not match",
        kExtAudioFileError_InvalidOperationOrder: "the file has audio already",
        kExtAudioFileError_InvalidDataFormat: "files cannot contain the format",
        kExtAudioFileError_MaxPacketSizeUnknown: "the size of packets is not known",
        kExtAudioFileError_InvalidSeek: "there is no such position",
        kExtAudioFileError_CodecUnavailableInputConsumed: "the codec is not available",
        kExtAudioFileError_CodecUnavailableInputNotConsumed: "the codec is not available",

        kAudioFormatUnknownFormatError: "unknown format",

        kAudioConverterErr_PropertyNotSupported: "the converter does not have the property",
        kAudioConverterErr_InvalidInputSize: "the input is no whole number of packets",
        kAudioConverterErr_InvalidOutputSize: "the output has too little room",
        kAudioConverterErr_UnspecifiedError: "the codec failed",
        kAudioConverterErr_RequiresPacketDescriptionsError: "the packets need descriptions",
        kAudioConverterErr_InputSampleRateOutOfRange: "the rate of the input is out of range",
        kAudioConverterErr_OutputSampleRateOutOfRange: "the rate of the output is out of range",

        kAudioUnitErr_FailedInitialization: "the sound server or the device cannot be used",
        kAudioUnitErr_FormatNotSupported: "the format is not supported",
        kAudioUnitErr_InvalidPropertyValue: "the value is not valid",
        kAudioUnitErr_TooManyFramesToProcess: "too many frames",
    ]
}
