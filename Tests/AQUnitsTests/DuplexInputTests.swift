// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
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
}
