import AudioCodecs
import AudioFiles

/// Why a file was not converted.
struct ConversionError: Error, Equatable {
    enum Kind: Equatable {
        case unreadable, unsupported, unwritable
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
        case .unsupported, .exists, .isDirectory, .notFound: self.init(.unsupported, error.message)
        default: self.init(.unwritable, error.message)
        }
    }

    init(_ error: CodecError) { self.init(.unsupported, error.message) }
}
