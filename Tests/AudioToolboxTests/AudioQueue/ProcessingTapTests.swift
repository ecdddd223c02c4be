// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Dispatch
import Testing

@testable import AudioQueues
@testable import AQToolboxFunctions

/// The arguments of a tap's callback.
private final class Seen: Sendable {
    struct Values: Sendable, Equatable {
        var timeBefore: OSStatus = 1
        var audio: OSStatus = 1
        var frames: UInt32 = 0
        var flags: UInt32 = 0
        var time: OSStatus = 1
        var sampleTime = 0.0
        var elsewhere: OSStatus = 1
    }
    let values = Monitor(Values())
}

/// A tap callback that makes all calls, valid and invalid ones.
private func tapCallback(
    _ data: UnsafeMutableRawPointer?, _ tap: AudioQueueProcessingTapRef, _ frames: UInt32,
    _ time: UnsafeMutablePointer<AudioTimeStamp>, _ flags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>,
    _ made: UnsafeMutablePointer<UInt32>, _ audio: UnsafeMutablePointer<AudioBufferList>
) {
    guard let data = unsafe data else { return }
    let seen = unsafe Unmanaged<Seen>.fromOpaque(data).takeUnretainedValue()
    var values = Seen.Values()
    var sampleTime = 0.0
    var queueFrames: UInt32 = 0
    values.timeBefore = unsafe audioQueueProcessingTapGetQueueTime(tap, &sampleTime, &queueFrames)
    values.audio = unsafe audioQueueProcessingTapGetSourceAudio(tap, frames, time, flags, made, audio)
    values.frames = unsafe made.pointee
    values.flags = unsafe flags.pointee.rawValue
    values.time = unsafe audioQueueProcessingTapGetQueueTime(tap, &sampleTime, &queueFrames)
    values.sampleTime = sampleTime
    let bits = UInt(bitPattern: tap)
    let elsewhere = Monitor<OSStatus>(1)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
        var sampleTime = 0.0
        var frames: UInt32 = 0
        let status = unsafe audioQueueProcessingTapGetQueueTime(
            OpaquePointer(bitPattern: bits), &sampleTime, &frames)
        elsewhere.withLock { $0 = status }
        done.signal()
    }
    done.wait()
    values.elsewhere = elsewhere.withLock { $0 }
    let result = values
    seen.values.withLock { $0 = result }
}

/// Taps without a queue: the interface alone.
@Suite("Processing taps") struct ProcessingTapTests {
    private final class Source: QueueTapSource {
        func read(
            frames: Int, timeStamp: inout AudioTimeStamp, into audio: UnsafeMutablePointer<AudioBufferList>
        ) throws(QueueError) -> (frames: Int, flags: QueueTapFlags) {
            timeStamp = AudioTimeStamp(sampleTime: 42, hostTime: nil)
            return (frames - 1, .startOfStream)
        }

        func queueTime() throws(QueueError) -> (sampleTime: Double, frames: Int) { (17, 3) }
    }

    private func call(_ flags: QueueTapFlags, isCapture: Bool = false) throws -> (Seen.Values, Int) {
        let seen = Seen()
        let data = unsafe Unmanaged.passUnretained(seen).toOpaque()
        let tap = unsafe ProcessingTapObject(
            tapCallback, data, flags, of: 0, isCapture: isCapture)
        let handle = unsafe try #require(unsafe ProcessingTapObject.table.insert(tap))
        tap.setHandle(UInt(bitPattern: handle))
        defer { unsafe ProcessingTapObject.table.remove(handle) }
        var time = AudioTimeStamp()
        var callFlags = QueueTapFlags()
        var audio = AudioBufferList()
        let frames = unsafe tap.engineTap.process(10, &time, &callFlags, &audio, Source())
        // It is invalid after the call.
        var word: UInt32 = 0
        var real = 0.0
        let after = unsafe audioQueueProcessingTapGetQueueTime(handle, &real, &word)
        expectEqual(after, (isCapture ? kAudioQueueErr_InvalidTapType : kAudioQueueErr_InvalidTapContext))
        return withExtendedLifetime(seen) { (seen.values.withLock { $0 }, frames) }
    }

    @Test("a tap gets audio and its time in its callback, in this order, and nowhere else")
    func inCallback() throws {
        let (seen, frames) = try call(.preEffects)
        expectEqual(seen.timeBefore, kAudioQueueErr_InvalidTapContext)
        #expect(seen.audio == noErr && seen.frames == 9)
        expectEqual(seen.flags, QueueTapFlags.startOfStream.rawValue)
        #expect(seen.time == noErr && seen.sampleTime == 17)
        expectEqual(seen.elsewhere, kAudioQueueErr_InvalidTapContext)
        expectEqual(frames, 9)
    }

    @Test("a siphon gets its audio, and cannot request it") func siphon() throws {
        let (seen, _) = try call([.postEffects, .siphon])
        expectEqual(seen.audio, kAudioQueueErr_InvalidTapContext)
        expectEqual(seen.time, noErr)
    }

    @Test("a tap of an input queue has no queue time") func capture() throws {
        let (seen, _) = try call(.preEffects, isCapture: true)
        expectEqual(seen.audio, noErr)
        expectEqual(seen.time, kAudioQueueErr_InvalidTapType)
    }

    @Test(
        "a tap is before the effects or after them, not both and not neither",
        arguments: [0, 3, 4, 7, 8, 0x101] as [UInt32])
    func flags(flags: UInt32) throws {
        let rig = try QueueRig()
        var frames: UInt32 = 0
        var format = AudioStreamBasicDescription()
        var tap: AudioQueueProcessingTapRef?
        let status = unsafe audioQueueProcessingTapNew(
            rig.queue, tapCallback, nil, flags, &frames, &format, &tap)
        expectEqual(status, kAudio_ParamError)
        unsafe expectEqual(tap, nil)
    }
}
