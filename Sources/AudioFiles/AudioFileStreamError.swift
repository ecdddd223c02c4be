public import CoreAudioTypes

/// Why an ``AudioFileStream`` cannot go on, or does not know what it was asked.
public struct AudioFileStreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure; the raw value is the published number.
    ///
    /// The corresponding C constants are `kAudioFileStreamError_…`.
    public enum Code: UInt32, Sendable {
        /// The bytes are of no kind that is parsed here.
        case unsupportedFileType = 0x7479_703F
        /// The kind is known, but not its coding, rate or number of channels.
        case unsupportedDataFormat = 0x666D_743F
        /// There is no such property.
        case unsupportedProperty = 0x7074_793F
        /// The memory for a property has the wrong size.
        case badPropertySize = 0x2173_697A
        /// What is needed to find packets stands behind them, so that a stream cannot be parsed.
        case notOptimized = 0x6F70_746D
        /// The packet is before the first or past the last.
        case invalidPacketOffset = 0x7063_6B3F
        /// The header contradicts itself, or the stream ended inside it.
        case invalidFile = 0x6474_613F
        /// The stream does not say what the property tells.
        case valueUnknown = 0x756E_6B3F
        /// The property may become known yet: too few bytes were parsed.
        case dataUnavailable = 0x6D6F_7265
        /// The call is not allowed now.
        case illegalOperation = 0x6E6F_7065
        /// Any other failure.
        case unspecified = 0x7768_743F
        /// After a gap in the bytes, nothing tells where a packet begins.
        case discontinuityCantRecover = 0x6473_6321
    }

    /// What kind of failure.
    public var code: Code
    /// Lower case, without full stop: what was attempted, on what, why.
    public var message: String
    /// The message.
    public var description: String { message }

    /// The result that the corresponding C functions return.
    public var status: OSStatus { OSStatus(bitPattern: code.rawValue) }

    /// Makes an error of a kind and a message in the manner of ``message``.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
