// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The two procedures of a client, and their calls.
@safe final class FileStreamClient {
    // The published types require client data, but programs pass null.
    private typealias Listener =
        @convention(c) (
            UnsafeMutableRawPointer?, AudioFileStreamID, AudioFileStreamPropertyID,
            UnsafeMutablePointer<AudioFileStreamPropertyFlags>
        ) -> Void
    private typealias PacketsTaker =
        @convention(c) (
            UnsafeMutableRawPointer?, UInt32, UInt32, UnsafeRawPointer,
            UnsafeMutablePointer<AudioStreamPacketDescription>?
        ) -> Void

    private let data: UnsafeMutableRawPointer?
    private let listener: Listener
    private let packetsTaker: PacketsTaker
    /// The client's handle of the stream; nil before the client has it, and after it has closed the stream.
    private var handle: AudioFileStreamID?
    /// Whether the report of the file type is delayed until the format is known.
    private var isFileFormatHeld = false

    init(
        data: UnsafeMutableRawPointer?, listener: @escaping AudioFileStream_PropertyListenerProc,
        packetsProc: @escaping AudioFileStream_PacketsProc
    ) {
        unsafe self.data = data
        // SAFETY: the types differ only in whether the first pointer may be null, which is the same in C.
        unsafe self.listener = unsafeBitCast(listener, to: Listener.self)
        unsafe packetsTaker = unsafeBitCast(packetsProc, to: PacketsTaker.self)
    }

    /// Starts the calls of the procedures, with the client's handle.
    func begin(as handle: AudioFileStreamID) { unsafe self.handle = handle }

    /// Ends all calls, also from inside a procedure.
    func end() { unsafe handle = nil }

    /// Reports a property of the engine, and the properties that become known with it.
    func report(_ property: AudioFileStream.Property, of stream: AudioFileStream) {
        switch property {
        case .fileFormat where stream.fileType == .mp3 && stream.format == nil:
            // Each layer of MPEG audio is a file type, and only the format determines it.
            isFileFormatHeld = true
        case .dataFormat:
            if isFileFormatHeld { report(kAudioFileStreamProperty_FileFormat) }
            isFileFormatHeld = false
            report(kAudioFileStreamProperty_DataFormat)
        case .readyToProducePackets:
            // The format list consists of the format and the cookie, which are both known only now.
            report(kAudioFileStreamProperty_FormatList)
            report(kAudioFileStreamProperty_ReadyToProducePackets)
        default: report(property.rawValue)
        }
    }

    private func report(_ propertyID: AudioFileStreamPropertyID) {
        guard let handle = unsafe handle else { return }
        // Every property stays readable while the stream is open, so the flags that the client sets are
        // ignored.
        var flags: AudioFileStreamPropertyFlags = .propertyIsCached
        unsafe listener(data, handle, propertyID, &flags)
    }

    func give(
        _ bytes: UnsafeRawBufferPointer, packets: Int,
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) {
        guard unsafe handle != nil, let start = bytes.baseAddress else { return }
        // SAFETY: the descriptions belong to this call, and are dropped after it, so a client may write to
        // them.
        let mutableDescriptions = unsafe descriptions.flatMap {
            unsafe UnsafeMutablePointer(mutating: $0.baseAddress)
        }
        unsafe packetsTaker(
            data, UInt32(clamping: bytes.count), UInt32(clamping: packets), start, mutableDescriptions)
    }
}
