extension AudioFileStreamError {
    /// What the parsers of files say, in the terms of streams.
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

    /// Does what throws the errors of files, and throws those of streams.
    static func translating<Result>(
        _ body: () throws(AudioFileError) -> Result
    ) throws(AudioFileStreamError) -> Result {
        do { return try body() } catch { throw AudioFileStreamError(error) }
    }
}
