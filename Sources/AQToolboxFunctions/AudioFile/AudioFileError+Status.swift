// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox

extension AudioFileError {
    /// The result of the C functions for a failure of an open file.
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

    /// The result for a failure to open or create a file: mostly a missing permission.
    var openingStatus: OSStatus {
        switch code {
        case .unreadable, .unwritable: kAudioFilePermissionsError
        default: status
        }
    }
}
