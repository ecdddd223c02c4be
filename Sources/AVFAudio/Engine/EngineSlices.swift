// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import CoreAudioTypes
import Glibc
import Synchronization

/// The work of the thread of an engine's I/O unit: it renders slices of the output, and fetches captured frames.
@safe final class EngineSlices: @unchecked Sendable {
    // SAFETY: only the unit's thread uses the fields while the engine runs the unit; the closures are set before.

    static let mostChannels = 64

    /// Renders the output, and renders what depends on captured frames only.
    var renderOutput: @Sendable (_ samples: PlanarSamples, _ time: SliceTime) -> Bool = { samples, _ in
        samples.silence()
        return false
    }
    var renderCaptured: @Sendable (_ frames: Int, _ time: SliceTime) -> Void = { _, _ in }

    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let list: UnsafeMutableAudioBufferListPointer
    private var (outputTime, inputTime): (Int64, Int64) = (0, 0)
    private var usesInput = false
    private var unit: AudioUnit?

    init() {
        unsafe channels = .allocate(capacity: Self.mostChannels)
        unsafe list = AudioBufferList.allocate(maximumBuffers: Self.mostChannels)
    }

    deinit {
        unsafe channels.deallocate()
        unsafe free(list.unsafeMutablePointer)
    }

    /// Sets the unit whose thread comes next.
    func prepare(_ unit: AudioUnit, _ usage: EngineUsage) {
        unsafe self.unit = unsafe unit
        usesInput = usage.usesInput
    }

    /// Begins again at frame 0, while the unit does not run.
    func begin() { (outputTime, inputTime) = (0, 0) }

    /// Renders a slice of the output.
    func output(
        _ time: AudioTimeStamp, _ frames: Int, _ list: UnsafeMutableAudioBufferListPointer
    ) -> OSStatus {
        guard unsafe list.count <= Self.mostChannels else { return kAudioUnitErr_FormatNotSupported }
        for channel in unsafe list.indices {
            guard let memory = unsafe list[channel].mData else { return kAudio_ParamError }
            unsafe channels[channel] = unsafe memory.assumingMemoryBound(to: Float.self)
        }
        let samples = unsafe PlanarSamples(channels, channels: list.count, frames: frames)
        let hostTime = time.mFlags.contains(.hostTimeValid) ? time.mHostTime : 0
        _ = renderOutput(samples, SliceTime(sampleTime: outputTime, hostTime: hostTime))
        outputTime += Int64(frames)
        return noErr
    }

    /// Passes captured frames on.
    func input(_ time: AudioTimeStamp, _ frames: Int) -> OSStatus {
        let hostTime = time.mFlags.contains(.hostTimeValid) ? time.mHostTime : 0
        renderCaptured(frames, SliceTime(sampleTime: inputTime, hostTime: hostTime))
        inputTime += Int64(frames)
        return noErr
    }

    /// Fetches captured frames. On the rendering thread.
    func capture(_ samples: PlanarSamples) -> Bool {
        guard usesInput, samples.channels <= Self.mostChannels, let unit = unsafe unit else {
            samples.silence()
            return false
        }
        unsafe list.count = samples.channels
        for channel in 0..<samples.channels {
            unsafe list[channel] = unsafe AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(samples.frames * 4), mData: samples[channel])
        }
        var flags = AudioUnitRenderActionFlags()
        var stamp = AudioTimeStamp()
        guard
            unsafe AudioUnitRender(
                unit, &flags, &stamp, 1, UInt32(samples.frames), list.unsafeMutablePointer) == noErr
        else {
            samples.silence()
            return false
        }
        if InputMute.isMuted.load(ordering: .relaxed) {
            samples.silence()
            return false
        }
        return true
    }
}
