// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes

/// The settings requested of an encoder, checked against the limits of its codec.
struct EncoderRequest {
    let rate: Int
    let channels: Int
    private let format: AudioStreamBasicDescription

    /// The limits beyond which a bit rate counts as a mistake.
    private static let plausibleBitRates = 1000...10_000_000

    /// - Parameters:
    ///   - rates: The codec's sample rates, highest first; nil if the codec takes any.
    ///   - channels: The codec's channel counts.
    init(
        _ format: AudioStreamBasicDescription, rates: [Int]?, channels: [Int]
    ) throws(CodecError) {
        self.format = format
        rate = Int(exactly: format.mSampleRate) ?? 0
        self.channels = Int(clamping: format.mChannelsPerFrame)
        guard rate > 0, rates?.contains(rate) ?? true else {
            let known = rates.map { $0.map(String.init).joined(separator: ", ") } ?? "whole numbers"
            throw refusal("sample rate of \(format.mSampleRate) Hz; the encoder supports \(known)")
        }
        guard channels.contains(self.channels) else {
            let known = channels.map(String.init).joined(separator: ", ")
            throw refusal("\(self.channels) channels; the encoder supports \(known)")
        }
    }

    /// Throws if the format requires packets of another length than the encoder's, or of constant size.
    func require(framesPerPacket: Int) throws(CodecError) {
        let asked = Int(clamping: format.mFramesPerPacket)
        guard asked == 0 || asked == framesPerPacket else {
            throw refusal("packets of \(asked) frames; the encoder has \(framesPerPacket) at \(rate) Hz")
        }
        guard format.mBytesPerPacket == 0 else {
            throw refusal("packets of \(format.mBytesPerPacket) bytes; the encoder's differ in size")
        }
    }

    /// Returns the bit rate of the encoder.
    ///
    /// - Parameter legal: Returns the nearest legal rate; for nil, the encoder's default.
    func bitRate(_ asked: Int?, legal: (Int?) -> Int) throws(CodecError) -> Int {
        if let asked, !Self.plausibleBitRates.contains(asked) {
            throw refusal("bit rate of \(asked) bit/s")
        }
        return legal(asked)
    }

    func refusal(_ reason: String) -> CodecError {
        CodecError(.unsupportedFormat, cannot: "encode", format, reason)
    }
}
#endif
