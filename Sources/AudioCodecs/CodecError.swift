public import CoreAudioTypes

/// The reason why audio cannot be converted or decoded.
public struct CodecError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: UInt8, Sendable, CaseIterable {
        /// There is no codec for the format, or none between the two formats.
        case unsupportedFormat
        /// The description of the format contradicts itself.
        case invalidFormat
        /// The input is not a whole number of frames, or does not have the buffers that the format requires.
        case invalidInputSize
        /// Packets that differ in size have no descriptions, or no room for them.
        case missingPacketDescriptions
        /// The request is not possible with these formats.
        case unsupportedOperation
        /// The output has no room for the frames of the input.
        case outputTooSmall
        /// The decoder itself is unusable; further packets would fail too.
        case decoderFailed
        /// The encoder itself is unusable; further frames would fail too.
        case encoderFailed
        /// The magic cookie does not describe the stream, or contradicts its format.
        case invalidCookie
    }

    public var code: Code
    /// The reason in lower case, without full stop: the attempt, its object, the cause.
    public var message: String
    public var description: String { message }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// - Parameter verb: The attempt, such as "decode".
    init(_ code: Code, cannot verb: String, _ format: AudioStreamBasicDescription, _ reason: String) {
        self.init(code, "cannot \(verb) \(format.encodingSummary): \(reason)")
    }

    /// The result of Audio Converter Services for the same failure.
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
