import AudioCodecs
import AudioFiles
import ToolSupport

/// Why a file was not converted.
struct ConversionError: Error, Equatable {
    enum Kind: Equatable {
        case unreadable, unsupported, unwritable
        /// No files could be converted so.
        case misused
        /// The user ended it.
        case cancelled
    }

    var kind: Kind
    /// What the tool says, after its name.
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
