// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The layout of linear PCM in a file type: a header of constant length, the samples, and perhaps a trailer.
protocol PCMContainer {
    /// The header of a file without samples.
    var header: HeaderBytes { get }
    /// The part of the header that depends on the number of samples; short, so that one write updates it.
    var renewedBytes: Range<Int> { get }
    /// The largest size of the samples that the fields can count; nil if there is no limit.
    var maximumDataBytes: Int64? { get }

    /// Updates the fields that depend on the contents after the header.
    ///
    /// - Parameter trailerBytes: The size of the trailer; 0 until it has been written.
    func renew(_ header: inout HeaderBytes, dataBytes: Int64, trailerBytes: Int)
    /// Sets the length fields to values that readers take for an unknown length.
    func leaveOpen(_ header: inout HeaderBytes)
    /// Makes the bytes after the samples of a complete file.
    func trailer(dataBytes: Int64) -> [UInt8]

    /// Stores data before the samples.
    ///
    /// - Parameter isStream: True if nothing can be written after the samples.
    mutating func set(_ setting: FileSetting, isStream: Bool) throws(AudioFileError)
    mutating func setPacketTable(_ table: PacketTable) throws(AudioFileError)
}

extension PCMContainer {
    var maximumDataBytes: Int64? { nil }

    mutating func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "this file type cannot contain a packet table")
    }
}
