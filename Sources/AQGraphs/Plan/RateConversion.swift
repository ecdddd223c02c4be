// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes

/// Converts the rate between two nodes. Kept when the graph changes.
///
/// Used by the rendering thread.
@safe final class RateConversion: @unchecked Sendable {
    // SAFETY: the memory is allocated here and freed by deinit, and only the rendering thread uses them.

    /// The most frames that the filters hold.
    private static let heldFrames = 8_192

    let setup: Setup
    private let converter: AudioConverter
    private let input: PlanarMemory
    /// Interleaved frames, before and after the conversion.
    private let source: UnsafeMutablePointer<Float>
    private let converted: UnsafeMutablePointer<Float>
    /// The frames that were rendered by the source, and those that were converted, since the first slice.
    private var (sourceFrames, targetFrames): (Int64, Int64) = (0, 0)
    /// The silent frames of the source since its last sound.
    private var silentFrames = RateConversion.heldFrames
    /// The source's time of its first frame; nil before the first slice.
    private var origin: Int64?

    /// The formats and the length of slices of a conversion.
    struct Setup: Equatable {
        var source: GraphFormat
        var targetRate: Double
        var maximumFrames: Int
    }

    /// Returns nil if the rates are too far apart.
    init?(_ setup: Setup) {
        self.setup = setup
        do throws(CodecError) {
            converter = try AudioConverter(
                from: .float(channels: setup.source.channels, sampleRate: setup.source.sampleRate),
                to: .float(channels: setup.source.channels, sampleRate: setup.targetRate))
            // Makes everything that the settings need.
            try converter.reset()
        } catch {
            return nil
        }
        input = PlanarMemory(channels: setup.source.channels, capacityFrames: setup.maximumFrames)
        let samples = setup.maximumFrames * setup.source.channels
        unsafe source = .allocate(capacity: samples)
        unsafe converted = .allocate(capacity: samples)
    }

    deinit {
        unsafe source.deallocate()
        unsafe converted.deallocate()
    }

    /// Renders a slice at the target's rate, from as many slices of the source as that takes.
    func render(
        _ target: PlanarSamples, _ time: SliceTime, _ turn: RenderTurn, from node: PlanNode
    ) -> Bool {
        let (sourceRate, targetRate) = (setup.source.sampleRate, setup.targetRate)
        if origin == nil {
            origin = Int64((Double(time.sampleTime) * sourceRate / targetRate).rounded())
        }
        let room = unsafe UnsafeMutableRawBufferPointer(
            start: converted, count: target.frames * target.channels * MemoryLayout<Float>.size)
        let filled = unsafe try? converter.fill(room, maximumPackets: target.frames) { wanted in
            let slice = input.prefix(min(wanted, setup.maximumFrames))
            let lead = Double(sourceFrames) / sourceRate - Double(targetFrames) / targetRate
            let sourceTime = SliceTime(
                sampleTime: (origin ?? 0) + sourceFrames,
                hostTime: time.hostTime == 0 ? 0 : time.moved(time.hostTime, seconds: lead))
            silentFrames = node.render(slice, sourceTime, turn) ? 0 : silentFrames + slice.frames
            sourceFrames += Int64(slice.frames)
            let bytes = unsafe UnsafeRawBufferPointer(
                start: interleaved(slice), count: slice.frames * slice.channels * MemoryLayout<Float>.size)
            return unsafe .packets(bytes, descriptions: nil, packetCount: slice.frames)
        }
        targetFrames += Int64(target.frames)
        let count = filled?.packets ?? 0
        deinterleave(target.prefix(count))
        if count < target.frames { target.dropFirst(count).silence() }
        // The filters hold sound of earlier slices.
        return silentFrames < Self.heldFrames
    }

    private func interleaved(_ slice: PlanarSamples) -> UnsafePointer<Float> {
        if slice.channels == 1 { return unsafe UnsafePointer(slice[0]) }
        for channel in 0..<slice.channels {
            let (samples, output) = unsafe (slice[channel], source + channel)
            for frame in 0..<slice.frames { unsafe output[frame * slice.channels] = samples[frame] }
        }
        return unsafe UnsafePointer(source)
    }

    private func deinterleave(_ target: PlanarSamples) {
        for channel in 0..<target.channels {
            let (samples, input) = unsafe (target[channel], converted + channel)
            for frame in 0..<target.frames { unsafe samples[frame] = input[frame * target.channels] }
        }
    }
}
