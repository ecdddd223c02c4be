// SPDX-License-Identifier: MIT

import AQTestSupport

extension SplitMix {
    /// Numbers determined by the bytes of an input, for choices that need no input bytes.
    init(digest input: [UInt8]) {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in input { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        self.init(digest)
    }
}
