// SPDX-License-Identifier: MIT

/// A checksum of all samples of a file: MD5 of interleaved integers with the lowest byte first (RFC 9639, 8.2).
public struct SampleDigest: Sendable, Equatable {
    /// The sixteen bytes of the checksum.
    public let md5: [UInt8]
    /// The number of bits of a sample in the checksum, which has whole bytes with the sign extended. Samples that are
    /// read are aligned to the highest bit instead.
    public let bits: Int

    init(md5: [UInt8], bits: Int) {
        self.md5 = md5
        self.bits = bits
    }
}
