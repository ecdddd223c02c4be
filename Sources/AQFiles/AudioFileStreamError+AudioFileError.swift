// SPDX-License-Identifier: MIT

extension AudioFileStreamError {
    init(_ error: AudioFileError) {
        let code: Code =
            switch error.code {
            case .unrecognised: .unsupportedFileType
            case .unsupported: .unsupportedDataFormat
            case .notSeekable: .notOptimized
            case .damaged, .empty: .invalidFile
            default: .unspecified
            }
        self.init(code, "cannot parse the stream: \(error.message)")
    }
}
