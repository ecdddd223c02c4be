// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// The reason why audio cannot be converted, decoded or encoded.
public struct CodecError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: UInt8, Sendable, CaseIterable {
        /// No codec for the format, or no conversion between the two formats.
        case unsupportedFormat
        /// A description of a format that contradicts itself, or labels, a channel map or frames that do not fit it.
        case invalidFormat
        /// An input that is not a whole number of frames, is smaller than its packets, or lacks buffers that the format
        /// requires.
        case invalidInputSize
        /// Packets of varying size without descriptions, or without room for descriptions.
        case missingPacketDescriptions
        /// A request that these formats do not allow.
        case unsupportedOperation
        /// An output without room for the frames of the input.
        case outputTooSmall
        /// A decoder that has become unusable: further packets would fail, too.
        case decoderFailed
        /// An encoder or a rate converter that has become unusable: further frames would fail, too.
        case encoderFailed
        /// A magic cookie that does not describe the stream, or contradicts its format.
        case invalidCookie
    }

    public var code: Code
    /// The attempted action, its object and the cause, in lower case without full stop.
    public var message: String
    public var description: String { message }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// - Parameter verb: The attempted action, such as "decode".
    init(_ code: Code, cannot verb: String, _ format: AudioStreamBasicDescription, _ reason: String) {
        self.init(code, "cannot \(verb) \(format.encodingSummary): \(reason)")
    }

    /// The result code of Audio Converter Services for the same failure.
    public var status: OSStatus {
        switch code {
        case .unsupportedFormat, .invalidFormat: 0x666D_743F  // 'fmt?'
        case .invalidInputSize: 0x696E_737A  // 'insz'
        case .missingPacketDescriptions: 0x2170_6B64  // '!pkd'
        case .unsupportedOperation: 0x6F70_3F3F  // 'op??'
        case .outputTooSmall: 0x6F74_737A  // 'otsz'
        case .decoderFailed, .encoderFailed, .invalidCookie: 0x7768_6174  // 'what'
        }
    }
}
