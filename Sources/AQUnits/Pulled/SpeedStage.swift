// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes
import Glibc

/// The output is the first input at another rate or pitch.
@safe final class SpeedStage: PullStage {
    // SAFETY: the list and the memory are allocated here, and freed by deinit.

    /// The number of input frames that are fetched at a time, at most.
    private static let blockFrames = 256
    /// The longest input for which a stretcher may output nothing, in seconds.
    private static let longestDelay = 2.0

    private let output: SliceBuffers
    private let controls: SpeedControls
    private let stretcher: any SliceStretcher
    private let channels: Int
    private let blockFrames: Int
    private let samples: UnsafeMutablePointer<Float>
    private let block: UnsafeMutablePointer<Float>
    /// A list of one buffer, for ``block``.
    private let list: UnsafeMutableAudioBufferListPointer
    private var rate: Float = 1
    private var pitch: Float = 0

    /// - Throws: ``UnitError/Code/failedInitialization`` if the stretcher is not available for the channels.
    init(_ output: SliceBuffers, _ controls: SpeedControls) throws(UnitError) {
        let format = output.client.format
        channels = Int(format.mChannelsPerFrame)
        guard let stretcher = controls.makeStretcher(format.mSampleRate, channels) else {
            throw UnitError(
                .failedInitialization,
                "cannot initialize: "
                    + (controls.failure() ?? "no library changes the rate of \(channels) channels"))
        }
        self.stretcher = stretcher
        self.output = output
        self.controls = controls
        blockFrames = min(Self.blockFrames, output.capacityFrames)
        unsafe samples = .allocate(capacity: output.capacityFrames * channels)
        unsafe block = .allocate(capacity: blockFrames * channels)
        unsafe list = AudioBufferList.allocate(maximumBuffers: 1)
    }

    deinit {
        unsafe samples.deallocate()
        unsafe block.deallocate()
        unsafe free(list.unsafeMutablePointer)
    }

    @unsafe func render(_ slice: PulledSlice) -> Int32 {
        // The first input always exists. A slice in place has another number of frames.
        guard let input = unsafe slice.inputs[0], unsafe !slice.isGiven else {
            return UnitError.Code.cannotDoInCurrentContext.rawValue
        }
        setControls()
        let frames = unsafe slice.frames
        var (done, fetched) = (0, 0)
        let most = Int(Self.longestDelay * output.client.format.mSampleRate) + 64 * frames
        while done < frames {
            let given = unsafe stretcher.take(into: samples + done * channels, capacity: frames - done)
            done += given
            guard given == 0 else { continue }
            guard fetched < most else { return UnitError.Code.cannotDoInCurrentContext.rawValue }
            let wanted = Int((Double(frames - done) * Double(rate)).rounded(.up))
            let count = min(blockFrames, max(16, wanted))
            unsafe list[0] = unsafe AudioBuffer(
                mNumberChannels: UInt32(channels), mDataByteSize: UInt32(count * channels * 4), mData: block)
            var actions: RenderActions = []
            let status = unsafe input.fill(list, frames: count, &actions, slice.time)
            guard status == 0 else { return status }
            unsafe stretcher.put(block, count: count)
            fetched += count
        }
        // The list was checked, so this cannot fail.
        try? unsafe output.deliver(samples, frames: frames, to: slice.list, lendsMemory: false)
        return 0
    }

    private func setControls() {
        let (newRate, newPitch) = (controls.rate, controls.pitch)
        if newRate != rate {
            rate = newRate
            stretcher.setRate(Double(newRate))
        }
        if newPitch != pitch {
            pitch = newPitch
            stretcher.setPitch(cents: Double(newPitch))
        }
    }

    func reset() { stretcher.restart() }
}
