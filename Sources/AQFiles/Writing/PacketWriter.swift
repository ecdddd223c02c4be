// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The interface of all writers for ``AudioFileWriter``, which calls only ``complete(hasFailed:)`` after a failure.
/// Error messages continue after "cannot write 'path': ".
///
/// Releasing a writer leaves the file as it is on disk.
protocol PacketWriter: AnyObject {
    var file: OutputFile { get }
    /// The number of frames that the header on disk states; without such a header, the number written.
    var frameCount: Int64 { get }
    var byteCount: Int64 { get }
    /// The largest number of frames in the container; nil if it has no limit.
    var maximumFrameCount: Int64? { get }
    /// Whether no packet was appended, so that data before the packets can be changed.
    var isEmpty: Bool { get }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError)
    /// Overwrites appended bytes, at an offset relative to the first packet.
    func overwrite(_ bytes: UnsafeRawBufferPointer, at byteOffset: Int64) throws(AudioFileError)
    /// Removes the appended bytes after the first `bytes`.
    func shorten(toBytes bytes: Int64) throws(AudioFileError)
    /// Stores data before the packets; replaces earlier data of the same type.
    func set(_ setting: FileSetting) throws(AudioFileError)
    func setPacketTable(_ table: PacketTable) throws(AudioFileError)
    /// Completes the file, which is then closed; called once.
    ///
    /// - Parameter hasFailed: Whether an earlier call has thrown an error other than `unsupported`.
    func complete(hasFailed: Bool) throws(AudioFileError)
}

extension PacketWriter {
    var byteCount: Int64 { file.byteCount }
    var maximumFrameCount: Int64? { nil }

    func overwrite(_ bytes: UnsafeRawBufferPointer, at byteOffset: Int64) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "the packets of this file type cannot be overwritten")
    }

    func shorten(toBytes bytes: Int64) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "the packets of this file type cannot be removed")
    }

    func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "a packet table cannot be written to this file type")
    }

    /// Throws `unsupported` if packets were appended, because the data comes before them.
    func checkIsEmpty(before setting: FileSetting) throws(AudioFileError) {
        guard isEmpty else {
            throw AudioFileError(.unsupported, "\(setting.name) must come before the first packet")
        }
    }
}
