// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// An error of an ``AudioFileStream``, or of a request for one of its properties.
public struct AudioFileStreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The type of failure; the raw value is the published number.
    ///
    /// The corresponding C constants are `kAudioFileStreamError_…`.
    public enum Code: UInt32, Sendable {
        /// The file type is not supported.
        case unsupportedFileType = 0x7479_703F
        /// The file type is known, but its coding, rate or number of channels is not supported.
        case unsupportedDataFormat = 0x666D_743F
        /// There is no such property.
        case unsupportedProperty = 0x7074_793F
        /// The memory for a property has the wrong size.
        case badPropertySize = 0x2173_697A
        /// The data needed to find packets is after the packets, so a stream cannot be parsed.
        case notOptimized = 0x6F70_746D
        /// The packet is before the first or past the last.
        case invalidPacketOffset = 0x7063_6B3F
        /// The header contradicts itself, or the stream ended inside it.
        case invalidFile = 0x6474_613F
        /// The part of the stream that was parsed, at least its header, does not contain the property.
        case valueUnknown = 0x756E_6B3F
        /// Too few bytes were parsed; the property may become known later.
        case dataUnavailable = 0x6D6F_7265
        /// The call is not allowed now.
        case illegalOperation = 0x6E6F_7065
        /// Any other failure.
        case unspecified = 0x7768_743F
        /// After a gap in the bytes, the start of the next packet cannot be found.
        case discontinuityCantRecover = 0x6473_6321
    }

    /// The type of failure.
    public var code: Code
    /// The reason in lower case, without full stop: the attempt, its object, the cause.
    public var message: String
    /// The text of ``message``.
    public var description: String { message }

    /// The status that the corresponding C functions return.
    public var status: OSStatus { OSStatus(bitPattern: code.rawValue) }

    /// Makes an error from a code and a message in the style of ``message``.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
