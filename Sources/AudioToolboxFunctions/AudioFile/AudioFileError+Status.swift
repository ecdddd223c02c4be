import AudioFiles
import CAudioToolbox

extension AudioFileError {
    /// The result that the C functions return for this failure of a file that is open.
    var status: OSStatus {
        switch code {
        case .notFound: kAudioFileFileNotFoundError
        case .isDirectory, .empty, .unrecognised: kAudioFileUnsupportedFileTypeError
        case .damaged: kAudioFileInvalidFileError
        case .unsupported: kAudioFileUnsupportedDataFormatError
        case .endOfFile: kAudioFileEndOfFileError
        case .notSeekable: kAudioFilePositionError
        case .bufferTooSmall: kAudio_ParamError
        case .exists, .readOnly: kAudioFilePermissionsError
        case .containerFull: kAudioFileDoesNotAllow64BitDataSizeError
        case .diskFull, .quotaExceeded, .fileTooLarge, .unreadable, .unwritable: kAudioFileUnspecifiedError
        }
    }

    /// The result for this failure to open or create a file, where the system mostly refuses for want of
    /// permission.
    var openingStatus: OSStatus {
        switch code {
        case .unreadable, .unwritable: kAudioFilePermissionsError
        default: status
        }
    }
}
