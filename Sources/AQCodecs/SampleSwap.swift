// SPDX-License-Identifier: MIT

/// The reversal of the bytes of samples.
enum SampleSwap {
    /// SAFETY: the caller has checked that both memories hold `samples` samples of `bytes` bytes.
    @unsafe
    static func swap(samples: Int, bytes: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer) {
        switch bytes {
        case 2: unsafe swap(UInt16.self, samples: samples, from: from, to: to)
        case 4: unsafe swap(UInt32.self, samples: samples, from: from, to: to)
        case 8: unsafe swap(UInt64.self, samples: samples, from: from, to: to)
        case 3:
            for index in 0..<samples {
                let sample = unsafe from + index &* 3
                let target = unsafe to + index &* 3
                let (first, last) = unsafe (sample.load(as: UInt8.self), (sample + 2).load(as: UInt8.self))
                unsafe target.storeBytes(of: last, as: UInt8.self)
                unsafe (target + 1).storeBytes(of: (sample + 1).load(as: UInt8.self), as: UInt8.self)
                unsafe (target + 2).storeBytes(of: first, as: UInt8.self)
            }
        default: unsafe to.copyMemory(from: from, byteCount: samples * bytes)
        }
    }

    @inline(__always)
    private static func swap<Word: FixedWidthInteger & BitwiseCopyable>(
        _: Word.Type, samples: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer
    ) {
        let bytes = MemoryLayout<Word>.size
        for index in 0..<samples {
            let word = unsafe from.loadUnaligned(fromByteOffset: index &* bytes, as: Word.self)
            unsafe to.storeBytes(of: word.byteSwapped, toByteOffset: index &* bytes, as: Word.self)
        }
    }
}
