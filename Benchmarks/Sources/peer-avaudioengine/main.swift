// SPDX-License-Identifier: MIT

import AVFoundation
import Foundation
import PeerKit

// The engine of this project. A source node renders the signal, and is connected to the main mixer, as in most programs.
// A sink node records what the input node captures. The I/O unit gets slices of --buffer-frames frames; two slices are
// the latency of the output, whatever --buffers is. The prediction is the host time that the block gets.

private func fail(_ what: String, _ why: String) -> Never { unsafe peer_fail(what, why) }

/// Ends the process if `action` fails.
private func attempt<Value>(_ what: String, _ action: () throws -> Value) -> Value {
    do { return try action() } catch { fail(what, "\(error)") }
}

private func setSliceFrames(_ frames: Int32, of engine: AVAudioEngine) {
    var frames = UInt32(frames)
    guard let unit = unsafe engine.outputNode.audioUnit,
        unsafe AudioUnitSetProperty(
            unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &frames, 4) == noErr
    else { fail("cannot set the length of slices", "the unit refused") }
}

private func makeSource(_ options: peer_options) -> AVAudioSourceNode {
    guard
        let format = unsafe AVAudioFormat(
            commonFormat: .pcmFormatFloat32, sampleRate: Double(options.rate),
            channels: AVAudioChannelCount(options.channels), interleaved: true)
    else { fail("cannot make a source", "no format") }
    // SAFETY: only the rendering thread uses the lane.
    let lane = unsafe peer_lane_of(0, Int32(PEER_OUTPUT))
    return unsafe AVAudioSourceNode(format: format) { _, time, frames, list in
        let entry = peer_now()
        guard let memory = unsafe list.pointee.mBuffers.mData else { return kAudio_ParamError }
        let predicted = unsafe Int64(time.pointee.mHostTime) - entry
        unsafe peer_play(
            lane, entry, predicted, memory.assumingMemoryBound(to: Float.self), Int(frames))
        return noErr
    }
}

private func makeSink(_ options: peer_options) -> AVAudioSinkNode {
    let channels = unsafe Int(options.channels)
    // SAFETY: only the rendering thread uses the lane and the memory, which lives as long as the process.
    let lane = unsafe peer_lane_of(0, Int32(PEER_INPUT))
    let most = 4_096
    let interleaved = UnsafeMutablePointer<Float>.allocate(capacity: most * channels)
    return unsafe AVAudioSinkNode { time, frames, list in
        let entry = peer_now()
        let count = min(Int(frames), most)
        guard let first = unsafe list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self) else {
            return kAudio_ParamError
        }
        // All channels are the same.
        for frame in 0..<count {
            for channel in 0..<channels { unsafe interleaved[frame * channels + channel] = first[frame] }
        }
        unsafe peer_record(lane, entry, entry - Int64(time.pointee.mHostTime), interleaved, count)
        return noErr
    }
}

/// Waits until the end of the run. If the command line requests a pause, the kit pauses and resumes meanwhile.
private func waitForEnd(_ engine: AVAudioEngine) {
    func engineOf(_ context: UnsafeMutableRawPointer?) -> AVAudioEngine? {
        unsafe context.map { unsafe Unmanaged<AVAudioEngine>.fromOpaque($0).takeUnretainedValue() }
    }
    // SAFETY: the engine outlives the wait, and the kit only calls back during the wait.
    unsafe peer_wait(
        { context in
            unsafe engineOf(context)?.pause()
            return true
        },
        { context in unsafe engineOf(context).map { (try? $0.start()) != nil } ?? false },
        Unmanaged.passUnretained(engine).toOpaque())
}

private func run() -> Int32 {
    let options = unsafe peer_begin(
        "peer-avaudioengine", Int32(PEER_ASKS_PERIOD), Int32(PEER_DUPLEX), 1, CommandLine.argc,
        CommandLine.unsafeArgv
    ).pointee
    unsafe peer_note("version", "main")
    unsafe peer_note("prediction", "AudioTimeStamp.mHostTime")
    unsafe peer_event("create")
    let engine = AVAudioEngine()
    if unsafe options.mode & Int32(PEER_OUTPUT) != 0 {
        let source = unsafe makeSource(options)
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: nil)
    }
    if unsafe options.mode & Int32(PEER_INPUT) != 0 {
        let sink = unsafe makeSink(options)
        engine.attach(sink)
        engine.connect(engine.inputNode, to: sink, format: nil)
    }
    unsafe setSliceFrames(options.buffer_frames, of: engine)
    engine.prepare()
    unsafe peer_event("created")
    peer_start()
    attempt("cannot start") { try engine.start() }
    unsafe peer_event("started")
    waitForEnd(engine)
    unsafe peer_event("stop")
    engine.stop()
    peer_stopped()
    return peer_end()
}

exit(run())
