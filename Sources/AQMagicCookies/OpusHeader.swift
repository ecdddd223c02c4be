// SPDX-License-Identifier: MIT

/// The header of an Opus stream (RFC 7845, 5.1), which is also its magic cookie.
public struct OpusHeader: Sendable, Equatable {
    /// The number of channels; 1 to 255.
    public var channels: Int
    /// The number of frames at 48 kHz before the audio.
    public var preSkip: Int
    /// The sample rate of the source in hertz; 0 if unknown. Streams can be decoded at other rates.
    public var sourceSampleRate: Int
    /// The gain of the decoder, in decibels times 256.
    public var gain: Int
    /// The meaning of the channels: 0 for mono and stereo, 1 for the order of Vorbis, other numbers for none.
    public var mappingFamily: Int
    /// The number of streams in a packet.
    public var streams: Int
    /// The number of streams with two channels, which are the first.
    public var coupledStreams: Int
    /// The channel of the streams for each channel of the output; 255 for silence.
    public var mapping: [UInt8]

    /// Makes the header of a stream whose channels are divided into streams as by libopus.
    ///
    /// - Throws: An error if there are not 1 to 8 channels.
    public init(channels: Int) throws(MagicCookieError) {
        guard 1...8 ~= channels else {
            throw MagicCookieError("Opus of \(channels) channels, not 1 to 8, needs a header")
        }
        self.channels = channels
        (preSkip, sourceSampleRate, gain, mappingFamily) = (0, 0, 0, channels > 2 ? 1 : 0)
        mapping = Self.usualMappings[channels - 1]
        coupledStreams = [0, 1, 1, 2, 2, 2, 3, 3][channels - 1]
        streams = channels - coupledStreams
    }

    private static let usualMappings: [[UInt8]] = [
        [0], [0, 1], [0, 2, 1], [0, 1, 2, 3], [0, 4, 1, 2, 3], [0, 4, 1, 2, 3, 5], [0, 4, 1, 2, 3, 5, 6],
        [0, 6, 1, 2, 3, 4, 5, 7],
    ]

    /// Whether bytes begin like a header.
    public static func isHeader(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: mark) }

    /// Reads a header. Bytes after it are ignored.
    ///
    /// - Throws: An error that names the wrong field.
    public init(bytes: some Collection<UInt8>) throws(MagicCookieError) {
        let all = Array(bytes)
        guard Self.isHeader(all) else { throw Self.failure("it does not begin with 'OpusHead'") }
        guard all.count >= Self.fixedBytes else {
            throw Self.failure("\(all.count) of its \(Self.fixedBytes) bytes are there")
        }
        guard all[8] < 16 else { throw Self.failure("version \(all[8] >> 4) of the format") }
        channels = Int(all[9])
        preSkip = Int(all[10]) | Int(all[11]) << 8
        sourceSampleRate = (12..<16).reduce(0) { $0 | Int(all[$1]) << (8 * ($1 - 12)) }
        gain = Int(Int16(bitPattern: UInt16(all[16]) | UInt16(all[17]) << 8))
        mappingFamily = Int(all[18])
        if mappingFamily == 0 {
            guard 1...2 ~= channels else {
                throw Self.failure("\(channels) channels in family 0, not 1 or 2")
            }
            (streams, coupledStreams) = (1, channels - 1)
            mapping = Array(0..<UInt8(channels))
            return
        }
        guard all.count >= Self.fixedBytes + 2 + channels else {
            throw Self.failure(
                "\(all.count) of the \(Self.fixedBytes + 2 + channels) bytes for \(channels) channels are there"
            )
        }
        (streams, coupledStreams) = (Int(all[19]), Int(all[20]))
        mapping = Array(all[21..<21 + channels])
        if let fault { throw Self.failure(fault) }
    }

    /// The reason why no decoder accepts a table of channels.
    private var fault: String? {
        if channels == 0 { return "no channels" }
        if mappingFamily == 1, channels > 8 { return "\(channels) channels in family 1, not 1 to 8" }
        if mappingFamily == 3 { return "channels made by a matrix (family 3)" }
        if streams == 0 || coupledStreams > streams || streams + coupledStreams > 255 {
            return "\(streams) streams, \(coupledStreams) of them with two channels"
        }
        if let channel = mapping.first(where: { $0 != 255 && $0 >= streams + coupledStreams }) {
            return "channel \(channel) of the \(streams + coupledStreams) in its streams"
        }
        return nil
    }

    private static let mark = Array("OpusHead".utf8)
    private static let fixedBytes = 19

    private static func failure(_ reason: String) -> MagicCookieError {
        MagicCookieError("cannot read the Opus header: \(reason)")
    }
}
