import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// The two procedures of a client, and what is told to them.
@safe final class FileStreamClient {
    // The published types say that there always is client data, and programs pass null.
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
    /// What the client knows the stream by; nil before it knows it, and after it has closed it.
    private var handle: AudioFileStreamID?
    /// True if the kind of file is yet to be told.
    private var isFileFormatHeld = false

    init(
        data: UnsafeMutableRawPointer?, listener: @escaping AudioFileStream_PropertyListenerProc,
        packetsProc: @escaping AudioFileStream_PacketsProc
    ) {
        unsafe self.data = data
        // SAFETY: the types differ in nothing but that the first pointer may be null, which C does not tell apart.
        unsafe self.listener = unsafeBitCast(listener, to: Listener.self)
        unsafe packetsTaker = unsafeBitCast(packetsProc, to: PacketsTaker.self)
    }

    /// Calls the procedures from now on.
    func begin(as handle: AudioFileStreamID) { unsafe self.handle = handle }

    /// Calls nothing any more, also from inside the call that one of the procedures is in.
    func end() { unsafe handle = nil }

    /// Tells of a property of the engine's, and of those that come with it.
    func tell(_ property: AudioFileStream.Property, of stream: AudioFileStream) {
        switch property {
        case .fileFormat where stream.fileType == .mp3 && stream.format == nil:
            // Each layer of MPEG audio is a kind of file, and only the format tells which it is.
            isFileFormatHeld = true
        case .dataFormat:
            if isFileFormatHeld { tell(kAudioFileStreamProperty_FileFormat) }
            isFileFormatHeld = false
            tell(kAudioFileStreamProperty_DataFormat)
        case .readyToProducePackets:
            // It is made of the format and the cookie, which are both known only now.
            tell(kAudioFileStreamProperty_FormatList)
            tell(kAudioFileStreamProperty_ReadyToProducePackets)
        default: tell(property.rawValue)
        }
    }

    private func tell(_ propertyID: AudioFileStreamPropertyID) {
        guard let handle = unsafe handle else { return }
        // Every property stays readable for as long as the stream is open, so that it is of no consequence what
        // the client makes of the flags.
        var flags: AudioFileStreamPropertyFlags = .propertyIsCached
        unsafe listener(data, handle, propertyID, &flags)
    }

    /// Hands over packets.
    func give(
        _ bytes: UnsafeRawBufferPointer, packets: Int,
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) {
        guard unsafe handle != nil, let start = bytes.baseAddress else { return }
        // SAFETY: the descriptions are this call's own, and dropped after it, so that a client may write to them.
        let places = unsafe descriptions.flatMap { unsafe UnsafeMutablePointer(mutating: $0.baseAddress) }
        unsafe packetsTaker(data, UInt32(clamping: bytes.count), UInt32(clamping: packets), start, places)
    }
}
