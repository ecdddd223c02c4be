// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes

/// An input of an initialized unit: fetches slices from its source, and converts them.
///
/// Used by the rendering thread only. Its memory is allocated by the initialiser.
@safe final class InputBus {
    /// The samples that an input is converted to.
    struct Target: Equatable {
        var client: BusFormat
        /// The factor of the samples, for numbers with bits before the binary point.
        var scale: Float = 1
        /// Whether the input has other frames than the output, even at the same rate.
        var countsOwnFrames = false
    }

    // SAFETY: the lists and the memory belong to `buffers`.

    let number: Int
    let controls: BusControls
    let format: BusFormat
    let target: Target
    let maximumFrames: Int
    let quality: RateQuality
    /// The gains of the last slice; nil before the first.
    var gains: ChannelGains?
    private let buffers: SliceBuffers
    private let converter: AudioConverter
    /// Whether the source has other frames than the output.
    private let countsOwnFrames: Bool
    private var nextSampleTime = 0.0

    /// - Throws: ``UnitError/Code/formatNotSupported`` if the rates are too far apart.
    init(
        _ number: Int, _ controls: BusControls, _ format: BusFormat, to target: Target,
        maximumFrames: Int, quality: RateQuality
    ) throws(UnitError) {
        self.number = number
        self.controls = controls
        self.format = format
        self.target = target
        self.maximumFrames = maximumFrames
        self.quality = quality
        let client = try ClientFormat(format.samples, resamples: true)
        buffers = try SliceBuffers(client, checkedFrames: maximumFrames)
        countsOwnFrames =
            target.countsOwnFrames || format.samples.mSampleRate != target.client.samples.mSampleRate
        do throws(CodecError) {
            converter = try AudioConverter(
                from: client.toStream.inputFormat, to: target.client.samples.withoutFraction)
            converter.rateQuality = quality
            converter.mixMatrix = Self.matrix(format, target, factor: client.scale / target.scale)
            // Makes everything that the settings need.
            try converter.reset()
        } catch {
            throw UnitError(.formatNotSupported, error.message)
        }
    }

    /// The mix of the channels; nil if samples are passed unchanged.
    private static func matrix(_ source: BusFormat, _ target: Target, factor: Float) -> ChannelMatrix? {
        let counts = (source.channels, target.client.channels)
        let matrix =
            counts.0 == counts.1 && (source.labels.isEmpty || target.client.labels.isEmpty)
            ? ChannelMatrix(inputs: counts.0, outputs: counts.1)
            : ChannelMatrix(from: source.channelLabels, to: target.client.channelLabels)
        guard let matrix else { return nil }
        if factor == 1 { return matrix.isIdentity ? nil : matrix }
        return ChannelMatrix(
            inputs: counts.0, outputs: counts.1, gains: matrix.gains.map { $0 * factor })
    }

    /// Whether this bus can be used with other settings.
    func matches(
        _ controls: BusControls, _ format: BusFormat, _ target: Target, _ maximumFrames: Int,
        _ quality: RateQuality
    ) -> Bool {
        self.controls === controls && self.format == format && self.target == target
            && self.maximumFrames == maximumFrames && self.quality == quality
    }

    func reset() {
        // Fails only if memory is insufficient, and then every conversion fails.
        try? converter.reset()
        nextSampleTime = 0
    }

    /// Takes the buffers of a list as the next slice, which ``fill(_:frames:_:_:isGiven:)`` uses.
    @unsafe func take(_ given: UnsafeMutableAudioBufferListPointer) { unsafe buffers.take(given) }

    /// Fills a list, which has memory, with frames of the target format.
    ///
    /// The source is called once, or if rates are converted as often as the conversion requires: possibly not at all.
    ///
    /// - Parameter isGiven: Whether to use the slice that was taken instead of that of the source.
    /// - Returns: The source's status; `noConnection` without a source; `cannotDoInCurrentContext` if frames are
    ///   missing.
    @unsafe func fill(
        _ list: UnsafeMutableAudioBufferListPointer, frames: Int,
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>,
        isGiven: Bool = false
    ) -> Int32 {
        let code = controls.source
        guard isGiven || code != nil else { return UnitError.Code.noConnection.rawValue }
        var status: Int32 = 0
        var isSilent = !countsOwnFrames
        var pulled = 0
        let filled = unsafe try? converter.fill(list, maximumPackets: frames) { wanted in
            let count = min(wanted, maximumFrames)
            var pull = Pull(frames: count, done: pulled)
            if isGiven {
                guard pulled == 0, count == frames else { return unsafe .noDataNow }
            } else if let code {
                status = unsafe call(code, &pull, time)
            }
            guard status == 0 else { return unsafe .noDataNow }
            pulled += count
            if !pull.isSilent { isSilent = false }
            let slice = unsafe buffers.settled(frames: count, isSilent: pull.isSilent)
            if unsafe slice.count > 1 { return unsafe .buffers(slice, frames: count) }
            return unsafe .packets(
                UnsafeRawBufferPointer(start: slice[0].mData, count: Int(slice[0].mDataByteSize)),
                descriptions: nil, packetCount: count)
        }
        nextSampleTime += Double(pulled)
        if status != 0 { return status }
        guard let filled, filled.packets == frames else {
            return UnitError.Code.cannotDoInCurrentContext.rawValue
        }
        if isSilent, pulled > 0 { unsafe actions.pointee.insert(.outputIsSilence) }
        return 0
    }

    /// A call of the source.
    private struct Pull {
        var frames: Int
        /// The number of frames fetched before, in the same slice of the output.
        var done: Int
        var isSilent = false
    }

    private func call(
        _ code: RenderCode, _ pull: inout Pull, _ time: UnsafePointer<AudioTimeStamp>
    ) -> Int32 {
        let list = unsafe buffers.silentList(
            frames: pull.frames, over: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        var stamp = unsafe time.pointee
        // The source has other frames than the output if rates differ.
        if countsOwnFrames {
            stamp.mSampleTime = nextSampleTime + Double(pull.done)
            stamp.mFlags.insert(.sampleTimeValid)
        }
        var actions: RenderActions = []
        let status = unsafe code(&actions, &stamp, number, pull.frames, list)
        pull.isSilent = actions.contains(.outputIsSilence)
        return status
    }
}
