// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// Linear PCM read and written bit by bit: slow, and independent of the tested code.
struct ReferenceSamples {
    var format: AudioStreamBasicDescription

    private var containerBytes: Int { format.sampleContainerBytes ?? 0 }
    private var bits: Int { Int(format.mBitsPerChannel) }

    /// The containers as unsigned numbers.
    func containers(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count, by: containerBytes).map { start in
            let sample = bytes[start..<start + containerBytes]
            let bigEndian = format.isBigEndian ? Array(sample) : sample.reversed()
            return bigEndian.reduce(UInt64(0)) { $0 * 256 + UInt64($1) }
        }
    }

    func bytes(_ containers: [UInt64]) -> [UInt8] {
        containers.flatMap { container in
            let littleEndian = (0..<containerBytes).map { UInt8(container >> UInt64(8 * $0) & 0xFF) }
            return format.isBigEndian ? littleEndian.reversed() : littleEndian
        }
    }

    /// The integer of a container, with zero as silence.
    func integer(_ container: UInt64) -> Int64 {
        let low = format.isAlignedHigh ? container >> UInt64(containerBytes * 8 - bits) : container
        let valid = Int64(low & ((1 << UInt64(bits)) - 1))
        let half = Int64(1) << Int64(bits - 1)
        if !format.isSignedInteger { return valid - half }
        return valid >= half ? valid - 2 * half : valid
    }

    func container(_ integer: Int64) -> UInt64 {
        let half = Int64(1) << Int64(bits - 1)
        let value = format.isSignedInteger ? integer : integer + half
        let shift = format.isAlignedHigh ? Int64(containerBytes * 8 - bits) : 0
        let room = containerBytes == 8 ? UInt64.max : (UInt64(1) << UInt64(containerBytes * 8)) - 1
        return UInt64(bitPattern: value << shift) & room
    }

    func float(_ container: UInt64) -> Double {
        bits == 32 ? Double(Float(bitPattern: UInt32(container))) : Double(bitPattern: container)
    }

    func container(_ float: Double) -> UInt64 {
        bits == 32 ? UInt64(Float(float).bitPattern) : float.bitPattern
    }

    /// The expected conversion of `bytes` to the format of `other`, by the documented rules.
    func converted(_ bytes: [UInt8], to other: ReferenceSamples) -> [UInt8] {
        other.bytes(
            containers(bytes).map { one in
                switch (format.isFloat, other.format.isFloat) {
                case (true, true): return other.container(float(one))
                case (false, true):
                    let value = Double(integer(one)) / Double(Int64(1) << Int64(bits - 1))
                    return other.container(value)
                case (true, false): return other.container(other.nearest(float(one)))
                case (false, false): return other.container(other.nearest(integer(one), bits: bits))
                }
            })
    }

    private func nearest(_ float: Double) -> Int64 {
        let scale = Double(Int64(1) << Int64(bits - 1))
        if float.isNaN { return 0 }
        if float >= 1 { return Int64(scale) - 1 }
        if float <= -1 { return -Int64(scale) }
        return min(Int64((float * scale).rounded(.toNearestOrEven)), Int64(scale) - 1)
    }

    private func nearest(_ integer: Int64, bits from: Int) -> Int64 {
        if from <= bits { return integer << Int64(bits - from) }
        let step = Int64(1) << Int64(from - bits)
        let rounded = (integer + step / 2) >> Int64(from - bits)
        return min(rounded, (Int64(1) << Int64(bits - 1)) - 1)
    }
}
