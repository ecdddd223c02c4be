// SPDX-License-Identifier: MIT

import AudioCodecs
import CoreAudioTypes
import Glibc

/// Converts the rate between two nodes, and the channels with it. Kept when the graph changes.
///
/// Used by the rendering thread.
@safe final class RateConversion: @unchecked Sendable {
    // SAFETY: the lists are allocated here and freed by deinit, and only the rendering thread uses them.

    /// The most frames that the filters hold.
    private static let heldFrames = 8_192

    let setup: Setup
    private let converter: AudioConverter
    private let input: PlanarMemory
    private let inputList: UnsafeMutableAudioBufferListPointer
    private let outputList: UnsafeMutableAudioBufferListPointer
    /// The frames that were rendered by the source, and those that were converted, since the first slice.
    private var (sourceFrames, targetFrames): (Int64, Int64) = (0, 0)
    /// The silent frames of the source since its last sound.
    private var silentFrames = RateConversion.heldFrames
    /// The source's time of its first frame; nil before the first slice.
    private var origin: Int64?

    /// What a conversion is made for.
    struct Setup: Equatable {
        var source: GraphFormat
        var target: GraphFormat
        var maximumFrames: Int
    }

    /// Returns nil if the rates are too far apart.
    init?(_ setup: Setup) {
        self.setup = setup
        do throws(CodecError) {
            converter = try AudioConverter(from: setup.source.description, to: setup.target.description)
            converter.mixMatrix = setup.source.matrix(to: setup.target)
            // Makes everything that the settings need.
            try converter.reset()
        } catch {
            return nil
        }
        input = PlanarMemory(channels: setup.source.channels, capacityFrames: setup.maximumFrames)
        unsafe inputList = AudioBufferList.allocate(maximumBuffers: setup.source.channels)
        unsafe outputList = AudioBufferList.allocate(maximumBuffers: setup.target.channels)
    }

    deinit {
        unsafe free(inputList.unsafeMutablePointer)
        unsafe free(outputList.unsafeMutablePointer)
    }

    /// Renders a slice in the target's format, from as many slices of the source as that takes.
    func render(
        _ target: PlanarSamples, _ time: SliceTime, _ turn: RenderTurn, from source: PlanNode
    ) -> Bool {
        let (sourceRate, targetRate) = (setup.source.sampleRate, setup.target.sampleRate)
        if origin == nil {
            origin = Int64((Double(time.sampleTime) * sourceRate / targetRate).rounded())
        }
        unsafe outputList.set(target)
        let filled = unsafe try? converter.fill(outputList, maximumPackets: target.frames) { wanted in
            let slice = input.prefix(min(wanted, setup.maximumFrames))
            let lead = Double(sourceFrames) / sourceRate - Double(targetFrames) / targetRate
            let sourceTime = SliceTime(
                sampleTime: (origin ?? 0) + sourceFrames,
                hostTime: time.hostTime == 0 ? 0 : time.moved(time.hostTime, seconds: lead))
            silentFrames = source.render(slice, sourceTime, turn) ? 0 : silentFrames + slice.frames
            sourceFrames += Int64(slice.frames)
            unsafe inputList.set(slice)
            if slice.channels > 1 { return unsafe .buffers(inputList, frames: slice.frames) }
            let bytes = unsafe UnsafeRawBufferPointer(
                start: slice[0], count: slice.frames * MemoryLayout<Float>.size)
            return unsafe .packets(bytes, descriptions: nil, packetCount: slice.frames)
        }
        targetFrames += Int64(target.frames)
        let count = filled?.packets ?? 0
        if count < target.frames { target.dropFirst(count).silence() }
        // The filters hold sound of earlier slices.
        return silentFrames < Self.heldFrames
    }
}

extension UnsafeMutableAudioBufferListPointer {
    /// Sets the buffers, one for each channel.
    @unsafe func set(_ samples: PlanarSamples) {
        let list = unsafe self
        for channel in 0..<samples.channels {
            unsafe list[channel] = unsafe AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(samples.frames * MemoryLayout<Float>.size),
                mData: samples[channel])
        }
    }
}
