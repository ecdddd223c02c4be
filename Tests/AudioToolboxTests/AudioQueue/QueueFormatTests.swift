// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// Descriptions of linear PCM with the omissions of real programs.
@Suite("Formats of AudioQueue.h") struct QueueFormatTests {
    @Test("samples that fill their bytes play without the packed flag") func unpackedOutput() throws {
        var format = QueueRig.mono
        format.mFormatFlags &= ~kAudioFormatFlagIsPacked
        let rig = try QueueRig(format: format)
        try unsafe rig.enqueue(frames: 100, from: 1)
        try rig.start()
        expectEqual(rig.render(frames: 100), counting(1...100))
    }

    @Test("8-bit samples without a flag play as unsigned ones") func flaglessOutput() throws {
        var format = AudioStreamBasicDescription.unsignedInteger(bits: 8, channels: 1, sampleRate: 8000)
        format.mFormatFlags = 0
        let rig = try QueueRig(format: format)
        let sound = (1...200).map { UInt8($0) }
        try rig.enqueue(sound)
        try rig.start()
        expectEqual(rig.render(frames: 200, of: UInt8.self), sound)
        // Half the range is silence.
        expectEqual(rig.render(frames: 10, of: UInt8.self), [UInt8](repeating: 128, count: 10))
    }

    /// Records three buffers of 480 frames.
    private func record<Sample: BitwiseCopyable & Sendable>(
        _ format: AudioStreamBasicDescription, as type: Sample.Type
    ) throws -> [Sample] {
        let rig = try QueueCaptureRig(format: format)
        let played = Monitor<[Sample]>([])
        unsafe rig.record.onCallback { _, buffer in
            let filled = unsafe bufferContents(buffer, as: Sample.self)
            played.withLock { $0 += filled }
        }
        for _ in 0..<3 { try rig.enqueue(bytes: 480 * MemoryLayout<Sample>.stride) }
        try rig.start()
        #expect(eventually { played.withLock { $0.count } == 1440 })
        var reported = AudioStreamBasicDescription()
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let property = kAudioQueueProperty_StreamDescription
        unsafe expectEqual(audioQueueGetProperty(rig.queue, property, &reported, &size), noErr)
        // The device's own values, if the format has none.
        expectEqual(reported.mSampleRate, 32_000)
        unsafe expectEqual(audioQueueStop(rig.queue, true), noErr)
        return played.withLock { $0 }
    }

    /// The first captured sample of the tests' device.
    private var captured: [Int16] {
        (0..<1440).map { SequenceContent.sample(frame: Int64($0), channel: 0) }
    }

    @Test("recording needs no rate, and no packed flag for samples that fill their bytes")
    func unpackedInput() throws {
        var format = QueueRig.mono
        format.mSampleRate = 0
        format.mFormatFlags &= ~kAudioFormatFlagIsPacked
        try expectEqual(record(format, as: Int16.self), captured)
    }

    @Test("recording needs no rate, and no flag for unsigned 8-bit samples") func flaglessInput() throws {
        var format = AudioStreamBasicDescription.unsignedInteger(bits: 8, channels: 1, sampleRate: 0)
        format.mFormatFlags = 0
        let expected = captured.map { UInt8(truncatingIfNeeded: ($0 >> 8) + 128) }
        try expectEqual(record(format, as: UInt8.self), expected)
    }
}
