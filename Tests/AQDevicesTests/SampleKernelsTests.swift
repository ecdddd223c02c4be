// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct SampleKernelsTests {
    private func scaled<Sample: BitwiseCopyable>(
        _ samples: [Sample], _ encoding: SampleFormat.Encoding, _ gain: Float
    ) -> [Sample] {
        var copy = samples
        unsafe copy.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress {
                unsafe SampleKernels.scale(
                    base, samples: bytes.count / encoding.byteCount, encoding: encoding, gain: gain)
            }
        }
        return copy
    }

    @Test("gain clips integers at full scale in every encoding")
    func clipping() {
        expectEqual(scaled([Int16.max, Int16.min, 100], .signed16, 4), [Int16.max, Int16.min, 400])
        expectEqual(scaled([Int32.max, Int32.min, 100], .signed32, 4), [Int32.max, Int32.min, 400])
        expectEqual(scaled([UInt8(255), 0, 129], .unsigned8, 4), [255, 0, 132])
        expectEqual(scaled([Float(0.5), -1], .float32, 4), [2, -4])
    }

    @Test("24-bit samples keep their sign and the samples beside them")
    func packed24() {
        let samples: [UInt8] = [0x00, 0x10, 0x00, 0x00, 0xF0, 0xFF, 0xFF, 0xFF, 0x7F]
        expectEqual(scaled(samples, .signed24, 0.5), [0x00, 0x08, 0x00, 0x00, 0xF8, 0xFF, 0x00, 0x00, 0x40])
    }

    @Test("swapping reverses each sample's bytes", arguments: [2, 3, 4])
    func swapping(sampleBytes: Int) {
        let source = [UInt8](0..<24)
        var target = [UInt8](repeating: 0, count: 24)
        unsafe source.withUnsafeBytes { from in
            unsafe target.withUnsafeMutableBytes { to in
                if let from = from.baseAddress, let to = to.baseAddress {
                    unsafe SampleKernels.copySwapping(from: from, to: to, bytes: 24, sampleBytes: sampleBytes)
                }
            }
        }
        let expected = stride(from: 0, to: 24, by: sampleBytes).flatMap {
            source[$0..<$0 + sampleBytes].reversed()
        }
        expectEqual(target, expected)
    }

    @Test("full scale is 1 in every encoding")
    func values() {
        func value<Sample>(_ sample: Sample, _ encoding: SampleFormat.Encoding) -> Float {
            var copy = sample
            return unsafe withUnsafeBytes(of: &copy) { bytes in
                unsafe bytes.baseAddress.map { unsafe SampleKernels.value($0, 0, encoding: encoding) } ?? .nan
            }
        }
        expectEqual(value(Int16.min, .signed16), -1)
        expectEqual(value(Int32.min, .signed32), -1)
        expectEqual(value(UInt8(0), .unsigned8), -1)
        expectEqual(value(UInt8(128), .unsigned8), 0)
        expectEqual(value(Float(0.25), .float32), 0.25)
        expectEqual(value((UInt8(0), UInt8(0), UInt8(0x80)), .signed24), -1)
    }
}
