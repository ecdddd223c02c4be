// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// Recording by the C functions, from a source that captures at full speed.
@Suite("Recording by AudioQueue.h") struct QueueRecordingTests {
    @Test("buffers are returned full, in order, with their times and packet counts")
    func recording() throws {
        let rig = try QueueCaptureRig()
        for _ in 0..<3 { try rig.enqueue(bytes: 960) }
        let record = rig.record
        unsafe record.onCallback { queue, buffer in
            if record.count < 10 { _ = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil) }
        }
        try rig.start()
        #expect(eventually { record.count >= 10 })
        unsafe expectEqual(audioQueueStop(rig.queue, true), noErr)
        let full = record.all.prefix(10)
        expectEqual(full.map(\.packets), Array(repeating: 480, count: 10))
        expectEqual(full.map(\.sampleTime), (0..<10).map { Double($0 * 480) })
        expectEqual(Set(full.map(\.queue)), [UInt(bitPattern: unsafe rig.queue)])
        // The record and its action refer to each other.
        unsafe record.onCallback { _, _ in }
    }

    @Test("a sample rate of 0 means the device's, and can be read") func deviceRate() throws {
        var format = QueueRig.mono
        format.mSampleRate = 0
        let rig = try QueueCaptureRig(format: format)
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let property = kAudioQueueProperty_StreamDescription
        unsafe expectEqual(audioQueueGetProperty(rig.queue, property, &format, &size), noErr)
        expectEqual(format.mSampleRate, 32_000)
    }

    @Test("output properties fail on an input queue") func playbackProperties() throws {
        let rig = try QueueCaptureRig()
        var word: UInt32 = 4
        for property in [
            kAudioQueueProperty_EnableTimePitch, kAudioQueueProperty_TimePitchAlgorithm,
            kAudioQueueProperty_TimePitchBypass, kAudioQueueProperty_DecodeBufferSizeFrames,
        ] {
            let status = unsafe audioQueueGetPropertySize(rig.queue, property, &word)
            expectEqual(status, kAudioQueueErr_InvalidQueueType)
        }
    }

    @Test("an input queue reports the converter's priming") func priming() throws {
        let rig = try QueueCaptureRig()
        var info = AudioConverterPrimeInfo(leadingFrames: 9, trailingFrames: 9)
        var size: UInt32 = 8
        unsafe expectEqual(audioQueueGetProperty(rig.queue, kAudioConverterPrimeInfo, &info, &size), noErr)
        #expect(info.leadingFrames == 0 && info.trailingFrames == 0 && size == 8)
    }
}
