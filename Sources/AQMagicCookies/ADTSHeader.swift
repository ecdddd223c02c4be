// SPDX-License-Identifier: MIT

/// The header that precedes each AAC packet in an ADTS stream.
///
/// Corresponds to `adts_frame()` of ISO/IEC 14496-3, 1.A.2.2, without the raw data blocks.
public struct ADTSHeader: Sendable, Equatable {
    /// The object type: 1 is Main, 2 low complexity, 3 scalable sampling rate, 4 long-term prediction.
    public var objectType: UInt8
    /// Frames per second of the core.
    public var sampleRate: Int
    /// The channel configuration; 0 if the packets state the channels themselves.
    public var channelConfiguration: UInt8
    /// Whether the stream is MPEG-2, not MPEG-4.
    public var isMPEG2: Bool
    /// Whether a 16-bit checksum follows the header.
    public var hasChecksum: Bool
    /// The size of the header and its packet in bytes, up to the next header.
    public var frameBytes: Int
    /// The number of blocks of 1024 frames of audio; 1 to 4.
    public var rawDataBlocks: Int

    /// The size of a header without checksum, in bytes: the shortest header.
    public static let leastBytes = 7

    /// The largest size of a header and its packet together, in bytes.
    public static let maximumFrameBytes = 0x1FFF

    /// Reads the header at the beginning of the bytes; nil if there is none, or fewer than ``leastBytes`` are present.
    public init?(bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(Self.leastBytes))
        guard let header = unsafe head.withUnsafeBytes({ unsafe ADTSHeader(bytes: $0) }) else { return nil }
        self = header
    }

    /// Reads the header at the beginning of the bytes; nil if there is none.
    ///
    /// A search calls this initializer at every byte, where the generic one would be slow.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.leastBytes, unsafe bytes[0] == 0xFF else { return nil }
        var value: UInt64 = 0
        for position in 0..<Self.leastBytes { value = unsafe value << 8 | UInt64(bytes[position]) }
        func field(_ offset: Int, _ bits: Int) -> Int {
            Int(value >> UInt64(56 - offset - bits)) & ((1 << bits) - 1)
        }
        let rateIndex = field(18, 4)
        guard field(0, 12) == 0xFFF, field(13, 2) == 0, rateIndex < AudioSpecificConfig.sampleRates.count
        else { return nil }
        isMPEG2 = field(12, 1) == 1
        hasChecksum = field(15, 1) == 0
        objectType = UInt8(field(16, 2) + 1)
        sampleRate = AudioSpecificConfig.sampleRates[rateIndex]
        channelConfiguration = UInt8(field(23, 3))
        frameBytes = field(30, 13)
        rawDataBlocks = field(54, 2) + 1
        guard frameBytes >= headerBytes else { return nil }
    }

    /// The size of the header in bytes: 7, or with a checksum 9 and two for each further block.
    public var headerBytes: Int {
        hasChecksum ? Self.leastBytes + 2 * rawDataBlocks : Self.leastBytes
    }

    /// Returns whether `other` may be the header of another packet of the same stream with the same settings.
    public func isSameStream(as other: ADTSHeader) -> Bool {
        objectType == other.objectType && sampleRate == other.sampleRate
            && channelConfiguration == other.channelConfiguration
    }

    /// Makes the configuration that decoders of the packets need.
    ///
    /// - Parameter packet: The packet after this header, which defines the channels if the header does not.
    /// - Throws: An error if neither defines the channels, or the packet's program config is truncated or lists none.
    public func audioSpecificConfig(
        packet: some Collection<UInt8>
    ) throws(MagicCookieError) -> AudioSpecificConfig {
        var program: ProgramConfigElement?
        if channelConfiguration == 0 {
            // A program config has at most 18 bytes of channels, and a comment of up to 256.
            var reader = BitReader(Array(packet.prefix(512)), name: "the first packet after an ADTS header")
            guard try reader.read(3, "type of element") == Self.programConfigKind else {
                throw reader.failure("neither it nor the header states the channels")
            }
            program = try ProgramConfigElement(from: &reader)
        }
        return AudioSpecificConfig(
            objectType: objectType, sampleRate: sampleRate, channelConfiguration: channelConfiguration,
            channels: program?.channels ?? AudioSpecificConfig.channelCounts[Int(channelConfiguration)],
            programConfig: program)
    }

    /// The element identifier of a program config in a packet.
    private static let programConfigKind = 5
}

extension ADTSHeader {
    /// Makes the header, without checksum, of a packet of an MPEG-4 stream.
    ///
    /// The header can only describe the core: decoders detect an extension (HE-AAC) in the packets.
    ///
    /// - Parameter packetBytes: The size of the packet without header.
    /// - Throws: An error that names the value that a header of seven bytes cannot express.
    public static func bytes(
        for config: AudioSpecificConfig, packetBytes: Int
    ) throws(MagicCookieError) -> [UInt8] {
        func failure(_ reason: String) -> MagicCookieError {
            MagicCookieError("cannot make an ADTS header: \(reason)")
        }
        guard let rateIndex = AudioSpecificConfig.sampleRates.firstIndex(of: config.sampleRate) else {
            throw failure("it cannot express \(config.sampleRate) Hz")
        }
        guard 1...4 ~= config.objectType else {
            throw failure(AudioSpecificConfig.refusal(objectType: Int(config.objectType)))
        }
        guard config.channelConfiguration <= 7 else {
            throw failure("it cannot express channel configuration \(config.channelConfiguration)")
        }
        guard config.framesPerPacket == 1024 else {
            throw failure("its packets have 1024 frames, not \(config.framesPerPacket)")
        }
        guard 0...maximumFrameBytes - leastBytes ~= packetBytes else {
            throw failure("a packet has up to \(maximumFrameBytes - leastBytes) bytes, not \(packetBytes)")
        }
        var writer = BitWriter()
        writer.write(0xFFF1, 16)
        writer.write(Int(config.objectType) - 1, 2)
        writer.write(rateIndex, 4)
        writer.write(0, 1)
        writer.write(Int(config.channelConfiguration), 3)
        writer.write(0, 4)
        writer.write(packetBytes + leastBytes, 13)
        // The fullness of the buffer is left unspecified, as for streams of variable rate.
        writer.write(0x7FF, 11)
        writer.write(0, 2)
        return writer.bytes
    }

    /// Makes the program config that must precede a packet whose header cannot express the channels.
    ///
    /// - Returns: Whole bytes; none if the header can express the channels or the packet begins with a program config.
    public static func programConfigBytes(
        for config: AudioSpecificConfig, packet: some Collection<UInt8>
    ) -> [UInt8] {
        guard config.channelConfiguration == 0, packet.first.map({ Int($0 >> 5) }) != programConfigKind else {
            return []
        }
        var writer = BitWriter()
        writer.write(programConfigKind, 3)
        config.effectiveProgramConfig.write(to: &writer)
        return writer.bytes
    }
}
