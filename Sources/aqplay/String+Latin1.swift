// SPDX-License-Identifier: MIT

extension String {
    /// Makes text from bytes that are the first 256 characters of Unicode.
    init(latin1 bytes: some Sequence<UInt8>) {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        self.init(scalars)
    }
}
