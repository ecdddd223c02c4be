import AudioFiles
import CAudioToolbox

/// Why a call of Audio File Services fails: the result that its C function returns.
struct AudioFileFault: Error, Equatable {
    /// One of the `kAudioFile…Error` constants or of the general ones.
    let status: OSStatus

    /// A failure that is known by its result.
    init(_ status: OSStatus) { self.status = status }

    /// A failure of the engine.
    init(_ error: AudioFileError) { status = error.status }
}

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
