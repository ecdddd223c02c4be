// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes
import AQToolSupport

/// The steps of the conversion of one file, which follow from the options and the source.
struct Plan {
    /// A range of the valid frames of the source.
    struct Range: Equatable {
        var start: Int64
        /// The end; nil for the end of the file.
        var end: Int64?
        var isAll: Bool { start == 0 && end == nil }

        /// - Throws: ``ToolFailure`` if the range contains no frames, although the source has some.
        func check(_ source: AudioFile) throws(ToolFailure) {
            guard !isAll else { return }
            let count = source.frameCount
            guard let end = [end, count].compactMap({ $0 }).min(), start >= end else { return }
            throw Self.nothing(in: source, of: count)
        }

        /// - Parameter count: The number of frames in the source, if it is known.
        static func nothing(in source: AudioFile, of count: Int64?) -> ToolFailure {
            let seconds = count.map { Decimal.text(Double($0) / source.format.mSampleRate, decimals: 3) }
            return ToolFailure(
                .failure,
                "the requested range is outside the audio" + (seconds.map { "; it is \($0) s long" } ?? ""))
        }
    }

    var type: AudioFileType
    /// The requested format of the converter, which sets fields of 0.
    var output: AudioStreamBasicDescription
    /// Whether packets are copied unchanged.
    var isCopy: Bool
    var settings: CodecSettings
    var dither: DitherKind
    var range: Range
    /// The order of the channels in each step of the conversion.
    var channelOrder: ChannelOrder
    /// A warning that the bit depth is reduced; nil if it is not, and for lossy codecs.
    var depthLoss: String?
    /// A warning that the output has other channel positions than the source; nil if they are the same.
    var layoutLoss: String?

    /// - Parameter hasOpenEnd: Whether the source may go on after the frames that it counts.
    /// - Throws: ``ToolFailure`` if the file type cannot hold the requested format.
    init(
        _ options: ConvertOptions, type: AudioFileType, source: AudioFile, hasOpenEnd: Bool = false
    ) throws(ToolFailure) {
        self.type = type
        let input = source.format
        let rate =
            options.sampleRate
            ?? type.storedSampleRate(
                of: type.holdsAnyRate ? input.mSampleRate : input.mSampleRate.rounded())
        let channels = options.channels ?? Int(input.mChannelsPerFrame)
        let keepsFrames = rate == input.mSampleRate && channels == Int(input.mChannelsPerFrame)
        range = Range(
            start: Self.frame(atSeconds: options.startSeconds ?? 0, rate: input.mSampleRate),
            end: options.endSeconds.map { Self.frame(atSeconds: $0, rate: input.mSampleRate) })
        if !hasOpenEnd { try range.check(source) }
        settings = CodecSettings(bitRate: options.bitRate, quality: options.quality)
        let depth = Depth.source(of: source)
        let target = try Self.target(options.coding, type: type, of: depth, rate: rate, channels: channels)
        if options.bitRate != nil, !Self.hasBitRate(target, in: type) {
            let id = target.isLinearPCM ? type.linearInputCodec ?? kAudioFormatLinearPCM : target.mFormatID
            let name = DataFormat.displayName(of: id)
            throw ToolFailure(
                .usage, "'--bit-rate' is for AAC, MP3, Vorbis and Opus only, not for \(name)")
        }
        isCopy =
            options.coding == nil && options.bitRate == nil && options.quality == nil && keepsFrames
            && range.isAll && !input.isLinearPCM && type.holdsPackets(of: input)
        output = isCopy ? input : target
        channelOrder =
            isCopy
            ? ChannelOrder(copying: source.channelLabels)
            : ChannelOrder(
                from: input, magicCookie: source.magicCookie, labels: source.channelLabels, to: target,
                in: type)
        depthLoss = isCopy ? nil : Self.depthLoss(options.coding, from: depth, to: target)
        layoutLoss = isCopy ? nil : Self.layoutLoss(of: channelOrder, type: type, from: input, to: target)
        dither = options.dither ?? (source.isLossy ? .none : .triangular)
    }

    static func frame(atSeconds seconds: Double, rate: Double) -> Int64 {
        Int64(exactly: (seconds * rate).rounded()) ?? .max
    }

    private static func hasBitRate(_ format: AudioStreamBasicDescription, in type: AudioFileType) -> Bool {
        switch format.mFormatID {
        case kAudioFormatLinearPCM: type.writerHasBitRate
        case kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3, kAudioFormatOpus: true
        default: false
        }
    }

    private static func target(
        _ coding: DataFormat.Coding?, type: AudioFileType, of source: Depth, rate: Double, channels: Int
    ) throws(ToolFailure) -> AudioStreamBasicDescription {
        switch coding ?? type.defaultCoding {
        case .encoded(let id) where id == type.linearInputCodec:
            return try linear(source, type: type, rate: rate, channels: channels)
        case .encoded(let id):
            guard type.holds(id) else { throw ToolFailure(.failure, DataFormat.refusal(of: id, in: type)) }
            var output = AudioStreamBasicDescription()
            output.mFormatID = id
            output.mSampleRate = rate
            output.mChannelsPerFrame = UInt32(clamping: channels)
            return output
        case .anyLinearPCM:
            return try linear(source, type: type, rate: rate, channels: channels)
        case .linearPCM(let bits, let isFloat, let isSigned, let isBigEndian):
            let depth = Depth(bits: bits, isFloat: isFloat)
            guard isSigned, isBigEndian == nil else {
                return isFloat
                    ? .float(
                        bits: bits, isBigEndian: isBigEndian ?? false, channels: channels, sampleRate: rate)
                    : integer(depth, isSigned, isBigEndian ?? false, rate, channels)
            }
            return try linear(depth, type: type, rate: rate, channels: channels)
        }
    }

    /// - Parameter coding: The requested codec, which may exceed the limits of the file type.
    private static func depthLoss(
        _ coding: DataFormat.Coding?, from source: Depth, to target: AudioStreamBasicDescription
    ) -> String? {
        var wanted = source
        if case .linearPCM(let bits, let isFloat, _, _) = coding {
            wanted = Depth(bits: bits, isFloat: isFloat)
        }
        let given: Depth
        if target.isLinearPCM {
            given = .decoded(from: target)
        } else if target.isAppleLossless {
            // The encoder supports no higher depth.
            given = Depth(bits: min(wanted.bits, 24))
        } else {
            return nil
        }
        guard given.bits < wanted.bits || (wanted.isFloat && !given.isFloat) else { return nil }
        return "\(wanted.text) become \(given.text)"
    }

    private static func layoutLoss(
        of order: ChannelOrder, type: AudioFileType, from input: AudioStreamBasicDescription,
        to target: AudioStreamBasicDescription
    ) -> String? {
        let channels = Int(clamping: input.mChannelsPerFrame)
        // Channels that were mixed have the positions of the output.
        guard channels > 2, input.mChannelsPerFrame == target.mChannelsPerFrame else { return nil }
        guard let labels = ChannelOrder.required(by: target, in: type), labels.count == channels,
            Set(labels) != Set(order.decoded)
        else { return nil }
        return "the \(channels) channels keep their order, but \(type.name) files give them other positions"
    }

    private static func integer(
        _ depth: Depth, _ isSigned: Bool, _ isBigEndian: Bool, _ rate: Double, _ channels: Int
    ) -> AudioStreamBasicDescription {
        // A single byte has no byte order.
        let isBigEndian = isBigEndian && depth.bits > 8
        return isSigned
            ? .signedInteger(
                bits: depth.bits, isBigEndian: isBigEndian, channels: channels, sampleRate: rate)
            : .unsignedInteger(
                bits: depth.bits, isBigEndian: isBigEndian, channels: channels, sampleRate: rate)
    }

    private static func linear(
        _ depth: Depth, type: AudioFileType, rate: Double, channels: Int
    ) throws(ToolFailure) -> AudioStreamBasicDescription {
        var failure: AudioFileError?
        for depth in [depth] + depth.substitutes {
            do throws(AudioFileError) {
                return try type.pcmFormat(
                    sampleRate: rate, channels: channels, bits: depth.bits, isFloat: depth.isFloat)
            } catch {
                failure = failure ?? error
            }
        }
        throw ToolFailure(.failure, failure?.message ?? "\(type.name) files cannot contain linear PCM")
    }
}
