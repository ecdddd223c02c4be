// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQTestSupport
import CAQAllocationMeter
import Testing

@testable import AQUnits

@Suite("DuplexInput") struct DuplexInputTests {
    private static let frames = 256

    @Test(
        "frames that are lost while it runs, by the device or because too many wait, cause no further silence",
        arguments: [true, false])
    func lost(byDevice: Bool) throws {
        let captured = CapturedFrames(capacity: 4096, bytesPerFrame: 4)
        let duplex = try #require(
            DuplexInput(captured, channels: 1, sampleRate: 48_000, sliceFrames: Self.frames))
        let slice = [Float](repeating: 0.5, count: Self.frames)
        var target = slice
        var position = CapturePosition()
        // 12 s.
        for index in 0..<2250 {
            unsafe slice.withUnsafeBytes {
                unsafe _ = captured.append($0.baseAddress!, frames: Self.frames)
            }
            position.timelineFrames += Double(Self.frames)
            position.hostTime = UInt64(Double((index + 1) * Self.frames) / 48_000 * 1e9)
            if index == 400 {
                let lost = byDevice ? 2000 : 40 * Self.frames
                position.timelineFrames += Double(lost)
                if byDevice {
                    duplex.skip(lost)
                } else {
                    for _ in 0..<40 {
                        unsafe slice.withUnsafeBytes {
                            unsafe _ = captured.append($0.baseAddress!, frames: Self.frames)
                        }
                    }
                }
            }
            unsafe target.withUnsafeMutableBufferPointer {
                unsafe duplex.take(
                    Self.frames, into: $0.baseAddress!, position: position,
                    audibleAt: position.hostTime + 10_000_000)
            }
        }
        expectEqual(duplex.shortages, 0)
        #expect(abs(target[Self.frames / 2] - 0.5) < 0.01)
    }

    @Test("slices that arrive in bursts cause no silence after the first", arguments: [2, 4, 8])
    func bursts(slices: Int) throws {
        let captured = CapturedFrames(capacity: 16_384, bytesPerFrame: 4)
        let duplex = try #require(
            DuplexInput(captured, channels: 1, sampleRate: 48_000, sliceFrames: Self.frames))
        let burst = [Float](repeating: 0.5, count: slices * Self.frames)
        var target = [Float](repeating: 0, count: Self.frames)
        var position = CapturePosition()
        var silentAfterSound = 0
        var hasSound = false
        for index in 0..<1000 {
            if index % slices == 0 {
                unsafe burst.withUnsafeBytes {
                    unsafe _ = captured.append($0.baseAddress!, frames: burst.count)
                }
                position.timelineFrames += Double(burst.count)
                position.hostTime = UInt64(Double(index * Self.frames) / 48_000 * 1e9)
            }
            unsafe target.withUnsafeMutableBufferPointer {
                unsafe duplex.take(
                    Self.frames, into: $0.baseAddress!, position: position,
                    audibleAt: UInt64(Double(index * Self.frames) / 48_000 * 1e9) + 10_000_000)
            }
            let isSilent = target.contains(0)
            if hasSound, isSilent { silentAfterSound += 1 }
            if !isSilent { hasSound = true }
        }
        #expect(hasSound)
        expectEqual(silentAfterSound, 0)
        expectEqual(duplex.shortages, 0)
    }

    @Test("neither allocates memory nor locks, also when it begins again", arguments: [1, 2, 6])
    func cost(channels: Int) throws {
        guard aq_meter_is_live() != 0 else { return }
        let captured = CapturedFrames(capacity: 4096, bytesPerFrame: 4 * channels)
        let duplex = try #require(
            DuplexInput(captured, channels: channels, sampleRate: 48_000, sliceFrames: Self.frames))
        let samples = [Float](repeating: 0.5, count: 8 * Self.frames * channels)
        var target = [Float](repeating: 0, count: Self.frames * channels)
        var position = CapturePosition()
        var random = SplitMix(1)
        var (allocations, locks, beginnings, wasSilent) = (0, 0, 0, true)
        for slice in 0..<4000 {
            // Capture stops for a while, and then delivers most of what was missed.
            let count = slice % 40 < 8 ? 0 : Int.random(in: 0...(slice % 40 == 8 ? 8 : 2), using: &random)
            unsafe samples.withUnsafeBytes { [count] in
                unsafe _ = captured.append($0.baseAddress!, frames: count * Self.frames)
            }
            position.timelineFrames += Double(count * Self.frames)
            position.hostTime = UInt64(Double((slice + 1) * Self.frames) / 48_000 * 1e9)
            let before = (aq_meter_allocations(), aq_meter_locks())
            unsafe target.withUnsafeMutableBufferPointer { [position] in
                unsafe duplex.take(
                    Self.frames, into: $0.baseAddress!, position: position,
                    audibleAt: position.hostTime + 10_000_000)
            }
            allocations += aq_meter_allocations() - before.0
            locks += aq_meter_locks() - before.1
            let isSilent = target.allSatisfy { $0 == 0 }
            if wasSilent, !isSilent { beginnings += 1 }
            wasSilent = isSilent
        }
        #expect(beginnings > 50)
        #expect(allocations == 0)
        #expect(locks == 0)
    }
}
