// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc

/// The output is the sum of the inputs, each with its gains.
///
/// An input that fails is silent in that slice.
@safe final class MixerStage: PullStage {
    // SAFETY: the lists and the memory are allocated here, and freed by deinit.

    private let controls: BusControls
    private let hooks: RenderHooks
    private let output: SliceBuffers
    private let channels: Int
    private let sampleRate: Double
    private var outputGains: ChannelGains?
    private let mix: UnsafeMutablePointer<Float>
    private let samples: UnsafeMutablePointer<Float>
    /// A list of one buffer, for the samples of an input.
    private let list: UnsafeMutableAudioBufferListPointer

    /// - Parameter controls: The parameters of the output.
    init(_ output: SliceBuffers, _ controls: BusControls, _ hooks: RenderHooks) {
        self.output = output
        self.controls = controls
        self.hooks = hooks
        channels = Int(output.client.format.mChannelsPerFrame)
        sampleRate = output.client.format.mSampleRate
        unsafe mix = .allocate(capacity: output.capacityFrames * channels)
        unsafe samples = .allocate(capacity: output.capacityFrames * channels)
        unsafe list = AudioBufferList.allocate(maximumBuffers: 1)
    }

    deinit {
        unsafe mix.deallocate()
        unsafe samples.deallocate()
        unsafe free(list.unsafeMutablePointer)
    }

    /// The format of inputs before they are added.
    static func mixFormat(of output: BusFormat) -> BusFormat {
        BusFormat(
            samples: .float(channels: output.channels, sampleRate: output.samples.mSampleRate),
            labels: output.labels)
    }

    @unsafe func render(_ slice: PulledSlice) -> Int32 {
        let frames = unsafe slice.frames
        unsafe mix.update(repeating: 0, count: frames * channels)
        var isSilent = true
        for index in unsafe slice.inputs.indices {
            guard let input = unsafe slice.inputs[index] else { continue }
            if unsafe !add(input, slice, isGiven: index == 0 && slice.isGiven) { isSilent = false }
        }
        let target = controls.gains(channels: channels)
        unsafe controls.meter.measure(
            mix, frames: frames, channels: channels, sampleRate: sampleRate, target)
        (outputGains ?? target).move(to: target, frames: frames) { frame, gains in
            for channel in 0..<channels { unsafe mix[frame * channels + channel] *= gains[channel] }
        }
        outputGains = target
        if isSilent { unsafe slice.actions.pointee.insert(.outputIsSilence) }
        // The list was checked, so this cannot fail.
        try? unsafe output.deliver(mix, frames: frames, to: slice.list, lendsMemory: false)
        return 0
    }

    /// Adds an input to the mix. Returns whether it was silent.
    private func add(
        _ input: InputBus, _ slice: PulledSlice, isGiven: Bool
    ) -> Bool {
        let (controls, frames) = unsafe (input.controls, slice.frames)
        let target = controls.gains(channels: channels)
        let start = input.gains ?? target
        // The source of a disabled input is not called.
        guard controls.isEnabled || !start.isSilent else { return true }
        unsafe list[0] = unsafe AudioBuffer(
            mNumberChannels: UInt32(channels), mDataByteSize: UInt32(frames * channels * 4), mData: samples)
        var actions: RenderActions = []
        let status = unsafe input.fill(list, frames: frames, &actions, slice.time, isGiven: isGiven)
        guard status == 0 else {
            if status != UnitError.Code.noConnection.rawValue { hooks.failed(status) }
            return true
        }
        input.gains = target
        unsafe controls.meter.measure(
            samples, frames: frames, channels: channels, sampleRate: sampleRate, target)
        start.move(to: target, frames: frames) { frame, gains in
            for channel in 0..<channels {
                let index = frame * channels + channel
                unsafe mix[index] += samples[index] * gains[channel]
            }
        }
        return actions.contains(.outputIsSilence)
    }

    func reset() {}
}
