import AudioCodecs
import AudioFiles
import ToolSupport

/// The reason why a file was not converted.
struct ConversionError: Error, Equatable {
    enum Kind: Equatable {
        case unreadable, unsupported, unwritable
        /// No file can be converted with these options.
        case misused
        /// The user ended it.
        case cancelled
    }

    var kind: Kind
    /// The message, after the tool's name.
    var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    init(reading error: AudioFileError) { self.init(.unreadable, error.message) }

    init(writing error: AudioFileError) {
        switch error.code {
        case .unsupported: self.init(.unsupported, error.message)
        default: self.init(.unwritable, error.message)
        }
    }

    var status: ExitStatus {
        switch kind {
        case .unreadable, .unsupported, .cancelled: .failure
        case .unwritable: .inputOutput
        case .misused: .usage
        }
    }

    init(_ error: CodecError) { self.init(.unsupported, error.message) }
}
