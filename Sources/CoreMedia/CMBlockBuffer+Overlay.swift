// SPDX-License-Identifier: MIT

public import CAQCoreMedia
public import Foundation

extension CMBlockBuffer {
    /// The number of bytes.
    ///
    /// The corresponding C function is `CMBlockBufferGetDataLength`.
    public var dataLength: Int { CMBlockBufferGetDataLength(self) }

    /// Whether there are no bytes and no places for any.
    ///
    /// The corresponding C function is `CMBlockBufferIsEmpty`.
    public var isEmpty: Bool { CMBlockBufferIsEmpty(self) }

    /// Whether all bytes are in one piece of memory.
    ///
    /// The corresponding C function is `CMBlockBufferIsRangeContiguous`.
    public var isContiguous: Bool { CMBlockBufferIsRangeContiguous(self, atOffset: 0, length: dataLength) }

    /// Returns a copy of all bytes.
    ///
    /// The corresponding C function is `CMBlockBufferCopyDataBytes`.
    ///
    /// - Throws: An `NSError` with the function's result.
    public func dataBytes() throws -> Data {
        guard dataLength > 0 else { return Data() }
        var bytes = Data(count: dataLength)
        let status = unsafe bytes.withUnsafeMutableBytes { memory in
            guard let start = memory.baseAddress else { return kCMBlockBufferEmptyBBufErr }
            return unsafe CMBlockBufferCopyDataBytes(
                self, atOffset: 0, dataLength: memory.count, destination: start)
        }
        try MediaFailure.check(status, "copy the bytes of a block buffer")
        return bytes
    }
}
