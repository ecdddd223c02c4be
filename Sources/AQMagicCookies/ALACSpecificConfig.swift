// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// The magic cookie of Apple Lossless: the parameters of the decoder.
///
/// Corresponds to `ALACSpecificConfig` and an optional `ALACChannelLayoutInfo` of the published format.
public struct ALACSpecificConfig: Sendable, Equatable {
    /// The number of frames in every packet except the last.
    public var frameLength: Int
    /// The lowest format version that a decoder must support; only 0 exists.
    public var compatibleVersion: UInt8
    /// Bits per sample of the source: 16, 20, 24 or 32.
    public var bitDepth: Int
    /// Parameters of the entropy coder: adaptation rate (pb), initial history (mb) and Rice limit (kb).
    public var pb: UInt8
    public var mb: UInt8
    public var kb: UInt8
    /// The number of channels; 1 to 8.
    public var channels: Int
    /// The entropy coder's longest run.
    public var maxRun: Int
    /// The size of the largest packet in bytes; 0 if unknown.
    public var maxFrameBytes: Int
    /// Bits per second; 0 if unknown.
    public var averageBitRate: Int
    /// Frames per second.
    public var sampleRate: Int
    /// The channel layout; nil if the cookie states none.
    public var channelLayoutTag: AudioChannelLayoutTag?

    /// Makes a configuration with the encoder's usual parameters.
    ///
    /// - Throws: An error that names the value that is out of range.
    public init(
        sampleRate: Int, channels: Int, bitDepth: Int, frameLength: Int = 4096
    ) throws(MagicCookieError) {
        self.frameLength = frameLength
        compatibleVersion = 0
        self.bitDepth = bitDepth
        pb = 40
        mb = 10
        kb = 14
        self.channels = channels
        maxRun = 255
        maxFrameBytes = 0
        averageBitRate = 0
        self.sampleRate = sampleRate
        if let reason = faults.first { throw MagicCookieError("cannot make an ALAC cookie: \(reason)") }
    }

    /// Reads a cookie of 24 bytes, or of 48 with a layout. Bytes after the cookie are ignored.
    ///
    /// The cookie may be wrapped in 'frma' and 'alac' atoms, as in old files, or in an 'alac' box, as in MP4.
    ///
    /// - Throws: An error that names the wrong field.
    public init(bytes: some Collection<UInt8>) throws(MagicCookieError) {
        let all = Array(bytes)
        let body = all[try Self.start(in: all)...]
        guard body.count >= 24 else {
            throw Self.failure("\(body.count) of its 24 bytes are there, from byte \(body.startIndex) on")
        }
        func number(_ offset: Int, _ count: Int) -> Int {
            body.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int($1) }
        }
        frameLength = number(0, 4)
        compatibleVersion = UInt8(number(4, 1))
        bitDepth = number(5, 1)
        pb = UInt8(number(6, 1))
        mb = UInt8(number(7, 1))
        kb = UInt8(number(8, 1))
        channels = number(9, 1)
        maxRun = number(10, 2)
        maxFrameBytes = number(12, 4)
        averageBitRate = number(16, 4)
        sampleRate = number(20, 4)
        if body.count >= 48, Self.isMark("chan", in: all, at: body.startIndex + 28) {
            channelLayoutTag = AudioChannelLayoutTag(number(36, 4))
        }
        if let reason = faults.first { throw Self.failure(reason) }
    }

    /// The cookie of 24 bytes, or of 48 if there is a layout.
    public var bytes: [UInt8] {
        var bytes = bigEndian(frameLength, 4) + [compatibleVersion]
        bytes += bigEndian(bitDepth, 1) + [pb, mb, kb] + bigEndian(channels, 1) + bigEndian(maxRun, 2)
        bytes += bigEndian(maxFrameBytes, 4) + bigEndian(averageBitRate, 4) + bigEndian(sampleRate, 4)
        if let channelLayoutTag {
            bytes += bigEndian(24, 4) + Array("chan".utf8) + bigEndian(0, 4)
            bytes += bigEndian(Int(channelLayoutTag), 4) + bigEndian(0, 8)
        }
        return bytes
    }

    /// The bit depth that a format's flags state: 16, 20, 24 or 32; nil if they state none.
    package static func bitDepth(of format: AudioStreamBasicDescription) -> Int? {
        bitDepths[format.mFormatFlags]
    }

    private static let bitDepths: [AudioFormatFlags: Int] = [
        kAppleLosslessFormatFlag_16BitSourceData: 16, kAppleLosslessFormatFlag_20BitSourceData: 20,
        kAppleLosslessFormatFlag_24BitSourceData: 24, kAppleLosslessFormatFlag_32BitSourceData: 32,
    ]

    /// The format of the packets, whose flags state the source's bit depth.
    public var format: AudioStreamBasicDescription {
        let flags = Self.bitDepths.first { $0.value == bitDepth }?.key ?? 0
        return AudioStreamBasicDescription(
            mSampleRate: Double(sampleRate), mFormatID: kAudioFormatAppleLossless, mFormatFlags: flags,
            mBytesPerPacket: 0, mFramesPerPacket: UInt32(clamping: frameLength), mBytesPerFrame: 0,
            mChannelsPerFrame: UInt32(clamping: channels), mBitsPerChannel: 0, mReserved: 0)
    }
}

extension ALACSpecificConfig {
    /// The reasons why no decoder accepts the fields. The frames per packet are limited because decoders reserve memory
    /// for them.
    private var faults: [String] {
        var faults: [String] = []
        if !(1...65_536 ~= frameLength) { faults.append("\(frameLength) frames a packet, not 1 to 65536") }
        if compatibleVersion != 0 { faults.append("it needs version \(compatibleVersion) of the format") }
        if ![16, 20, 24, 32].contains(bitDepth) {
            faults.append("\(bitDepth) bits a sample, not 16, 20, 24 or 32")
        }
        if !(1...8 ~= channels) { faults.append("\(channels) channels, not 1 to 8") }
        if !(1...Int(UInt32.max) ~= sampleRate) { faults.append("a rate of \(sampleRate) Hz") }
        if let tag = channelLayoutTag, tag & 0xFFFF != 0, Int(tag & 0xFFFF) != channels {
            faults.append("its layout has \(tag & 0xFFFF) channels, itself \(channels)")
        }
        return faults
    }

    /// The offset of the configuration after the atoms that may wrap it.
    private static func start(in bytes: [UInt8]) throws(MagicCookieError) -> Int {
        if isMark("frma", in: bytes, at: 4) {
            guard isMark("alac", in: bytes, at: 8) else {
                throw failure("its 'frma' atom names another format than 'alac'")
            }
            guard isMark("alac", in: bytes, at: 16) else {
                throw failure("there is no 'alac' atom after its 'frma' atom, at byte 12")
            }
            return min(24, bytes.count)
        }
        return isMark("alac", in: bytes, at: 4) ? min(12, bytes.count) : 0
    }

    private static func isMark(_ mark: String, in bytes: [UInt8], at offset: Int) -> Bool {
        bytes.count >= offset + 4 && bytes[offset..<offset + 4].elementsEqual(mark.utf8)
    }

    private static func failure(_ reason: String) -> MagicCookieError {
        MagicCookieError("cannot read the ALAC cookie: \(reason)")
    }
}
