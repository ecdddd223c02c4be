// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The samples of a file: packed interleaved linear PCM, or the bytes of G.711.
struct PCMSamples {
    let sampleRate: Double
    let channels: Int
    let bits: Int
    let isFloat: Bool
    /// The format ID of A-law or µ-law; nil for linear PCM.
    let law: AudioFormatID?
    let isSigned: Bool
    /// Whether samples are big-endian; false also for single bytes, which have no byte order.
    let isBigEndian: Bool
    let labels: [AudioChannelLabel]
    /// Whether there are no channel labels, or the labels are in the usual order.
    let hasUsualLabels: Bool

    /// - Parameter labels: The label of each channel; nil for the usual order.
    /// - Throws: `unsupported` for samples in another layout. The caller has checked that the format is valid.
    init(_ format: AudioStreamBasicDescription, labels: [AudioChannelLabel]?) throws(AudioFileError) {
        let isG711 = format.isG711 && format.mBytesPerPacket == format.mChannelsPerFrame
        let bits = isG711 ? 8 : Int(format.mBitsPerChannel)
        guard isG711 || format.isLinearPCM,
            isG711 || format.isInterleaved && format.isPacked && format.fractionBits == 0,
            [8, 16, 24, 32, 64].contains(bits)
        else {
            throw AudioFileError(.unsupported, "such files hold packed PCM, not \(format.encodingSummary)")
        }
        sampleRate = format.mSampleRate
        channels = Int(format.mChannelsPerFrame)
        self.bits = bits
        law = isG711 ? format.mFormatID : nil
        isFloat = !isG711 && format.isFloat
        isSigned = isFloat || format.isSignedInteger
        isBigEndian = !isG711 && bits > 8 && format.isBigEndian
        let usual = ChannelLabels.defaults(channels: channels)
        self.labels = labels ?? usual
        hasUsualLabels = self.labels == usual
    }

    var frameBytes: Int { channels * bits / 8 }

    /// Throws `unsupported` unless samples longer than a byte have this byte order.
    func require(bigEndian: Bool, in type: AudioFileType) throws(AudioFileError) {
        guard bits == 8 || isBigEndian == bigEndian else {
            throw AudioFileError(
                .unsupported,
                "\(type.name) files hold \(bigEndian ? "big" : "little")-endian samples of \(bits) bits")
        }
    }

    /// Throws `unsupported` unless integers are signed.
    func requireSigned(in type: AudioFileType) throws(AudioFileError) {
        guard isSigned else {
            throw AudioFileError(.unsupported, "\(type.name) files hold signed samples of \(bits) bits")
        }
    }
}
