import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// A file that was created: the engine's writer, what it was told, and how much was written.
final class AudioFileOutput {
    /// What a file is told before its first packet.
    struct Settings {
        var channelLabels: [AudioChannelLabel]?
        var expectedPackets: Int64?
        var magicCookie: [UInt8] = []
        var information: [AudioFileInformation] = []
        var markers: [AudioFiles.AudioFileMarker] = []
        var regions: [AudioFiles.AudioFileRegion] = []
        var packetTable: PacketTable?
        /// The client's own that stand ahead of the sound.
        var chunks: [AudioFileChunkContents] = []
        /// Seconds that room was asked for.
        var reservedSeconds: Double = 0
    }

    let path: FilePath
    let fileType: AudioFileTypeID
    private(set) var format: AudioStreamBasicDescription
    var settings = Settings()
    /// Changes to chunks that wait for the sound to be complete.
    var late = LateChunks()
    /// Likewise texts and places.
    private(set) var lateMetadata = LateMetadata()
    private(set) var packets: Int64 = 0
    private(set) var bytes: Int64 = 0
    private(set) var largestPacketBytes = 0
    /// Counts what changed the file, so that a reader can tell that it is behind.
    private(set) var changes = 0

    let engineType: AudioFileType
    private var writer: AudioFileWriter

    /// Creates the file.
    ///
    /// - Parameter overwrite: Empties one that is there, rather than refusing it.
    /// - Throws: The result of `AudioFileCreateWithURL`.
    init(
        path: FilePath, fileType: AudioFileTypeID, format: AudioStreamBasicDescription, overwrite: Bool
    ) throws(StatusError) {
        guard let kind = AudioFileKind.kind(of: fileType), let engineType = kind.writtenType else {
            throw StatusError(kAudioFileUnsupportedFileTypeError)
        }
        guard kind.holds(format) else { throw StatusError(kAudioFileUnsupportedDataFormatError) }
        self.path = path
        self.fileType = fileType
        self.format = format
        self.engineType = engineType
        do throws(AudioFileError) {
            writer = try AudioFileWriter.create(
                path: path, type: engineType, format: format, options: overwrite ? .overwrite : [])
        } catch { throw StatusError(error.openingStatus) }
    }

    /// Appends packets.
    ///
    /// - Returns: How many reached the file, and the failure that kept the others from it.
    func append(
        _ memory: UnsafeRawBufferPointer,
        descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?, packets count: Int
    ) -> (packets: Int, fault: StatusError?) {
        let framesBefore = writer.frameCount
        changes += 1
        do throws(AudioFileError) {
            try unsafe writer.append(memory, packetDescriptions: descriptions)
        } catch {
            // Packets of one length can be told from the frames that the file counts.
            let frames = max(writer.frameCount - framesBefore, 0)
            let whole = format.hasConstantPacketSize ? Int(frames / Int64(format.mFramesPerPacket)) : 0
            let written = min(whole, count)
            packets += Int64(written)
            bytes += Int64(written) * Int64(format.mBytesPerPacket)
            return (written, StatusError(error))
        }
        packets += Int64(count)
        if let descriptions = unsafe descriptions {
            for index in 0..<descriptions.count {
                let packetBytes = unsafe Int(descriptions[index].mDataByteSize)
                bytes += Int64(packetBytes)
                largestPacketBytes = max(largestPacketBytes, packetBytes)
            }
        } else {
            bytes += Int64(memory.count)
            largestPacketBytes = Int(format.mBytesPerPacket)
        }
        return (count, nil)
    }

    /// Writes bytes over some of packets of one size.
    ///
    /// - Parameter position: Counted from the first packet; the bytes end where there are some.
    /// - Throws: `kAudioFileOperationNotSupportedError` for what can only be written forwards.
    func overwrite(_ memory: UnsafeRawBufferPointer, at position: Int64) throws(StatusError) {
        changes += 1
        do throws(AudioFileError) {
            try unsafe writer.overwrite(memory, at: position)
        } catch {
            throw error.code == .unsupported
                ? StatusError(kAudioFileOperationNotSupportedError) : StatusError(error)
        }
    }

    /// Cuts off the last of packets of one size; those appended later take their place.
    ///
    /// - Parameter byteCount: Bytes that are left: of whole packets, and no more than there are.
    /// - Throws: `kAudioFileOperationNotSupportedError` for another number, and for other packets.
    func shorten(toBytes byteCount: Int64) throws(StatusError) {
        guard format.hasConstantPacketSize, 0...bytes ~= byteCount,
            byteCount % Int64(format.mBytesPerPacket) == 0
        else { throw StatusError(kAudioFileOperationNotSupportedError) }
        changes += 1
        do throws(AudioFileError) {
            try writer.shorten(toBytes: byteCount)
        } catch {
            throw error.code == .unsupported
                ? StatusError(kAudioFileOperationNotSupportedError) : StatusError(error)
        }
        bytes = byteCount
        packets = byteCount / Int64(format.mBytesPerPacket)
    }

    /// Stores what a decoder needs to know.
    ///
    /// COMPAT: recorders store the cookie again when they are done; if it is the same, that is no failure.
    ///
    /// - Throws: `kAudioFileOperationNotSupportedError` for another one after the first packet,
    ///   `kAudioFileUnsupportedPropertyError` if this kind of file has none.
    func setMagicCookie(_ cookie: [UInt8]) throws(StatusError) {
        guard cookie != settings.magicCookie else { return }
        try change { (writer) throws(AudioFileError) in try writer.setMagicCookie(cookie) }
        settings.magicCookie = cookie
    }

    /// Stores texts, at any time; throws as ``setMagicCookie(_:)``.
    func setInformation(_ information: [AudioFileInformation]) throws(StatusError) {
        if packets > 0, LateMetadata.isTaken(by: engineType) {
            lateMetadata.information = information
            return
        }
        try change { (writer) throws(AudioFileError) in try writer.setInformation(information) }
        settings.information = information
    }

    /// Stores places, at any time; throws as ``setMagicCookie(_:)``.
    func setMarkers(_ markers: [AudioFiles.AudioFileMarker]) throws(StatusError) {
        if packets > 0, LateMetadata.isTaken(by: engineType) {
            lateMetadata.markers = markers
            return
        }
        try change { (writer) throws(AudioFileError) in try writer.setMarkers(markers) }
        settings.markers = markers
    }

    /// Stores stretches, at any time; throws as ``setMagicCookie(_:)``.
    func setRegions(_ regions: [AudioFiles.AudioFileRegion]) throws(StatusError) {
        if packets > 0, engineType == .caf {
            lateMetadata.regions = regions
            return
        }
        try change { (writer) throws(AudioFileError) in try writer.setRegions(regions) }
        settings.regions = regions
    }

    /// Whether this kind of file has a place for a packet table.
    var holdsPacketTable: Bool { [.caf, .m4a, .mp3].contains(engineType) }

    /// Says which frames are sound; possible at any time.
    ///
    /// - Throws: `kAudio_ParamError` for counts that are negative, or do not add up to the frames written,
    ///   `kAudioFileUnsupportedPropertyError` if this kind of file has no place for it.
    func setPacketTable(_ table: PacketTable) throws(StatusError) {
        // The published structure has 32 bits for frames at the ends.
        let ends = 0...Int64(Int32.max)
        guard ends ~= table.primingFrames, ends ~= table.remainderFrames, table.validFrames >= 0 else {
            throw StatusError(kAudio_ParamError)
        }
        if packets > 0, format.mFramesPerPacket > 0 {
            let (total, isHuge) = packets.multipliedReportingOverflow(by: Int64(format.mFramesPerPacket))
            let (sum, overflow) = table.validFrames.addingReportingOverflow(
                table.primingFrames + table.remainderFrames)
            guard !isHuge, !overflow, sum == total else { throw StatusError(kAudio_ParamError) }
        }
        changes += 1
        do throws(AudioFileError) {
            try writer.setPacketTable(table)
        } catch { throw settingFault(error) }
        settings.packetTable = table
    }

    /// A table for the packets that were written, of which `table`, and what is on the disk, may know a part.
    func packetTable(_ table: PacketTable) -> PacketTable {
        let (total, overflow) = packets.multipliedReportingOverflow(by: Int64(format.mFramesPerPacket))
        return total > 0 && !overflow ? table.fitted(to: total) : table
    }

    /// Takes packets of another format than it was created for; throws as ``setMagicCookie(_:)``.
    func setFormat(_ changed: AudioStreamBasicDescription) throws(StatusError) {
        try createAgain(with: settings, format: changed)
    }

    /// Says what each channel is for; throws as ``setMagicCookie(_:)``, and `kAudio_ParamError` if they are not as
    /// many as there are channels. Of a kind of file without a place for it, the order of the packets is no failure.
    func setChannelLabels(_ labels: [AudioChannelLabel]) throws(StatusError) {
        guard labels.count == Int(format.mChannelsPerFrame) else { throw StatusError(kAudio_ParamError) }
        guard labels != settings.channelLabels else { return }
        if let fixed = engineType.fixedChannelLabels(of: format) {
            // One channel has no order, by whatever name.
            guard labels == fixed || labels.count == 1 else {
                throw StatusError(kAudioFileUnsupportedPropertyError)
            }
            settings.channelLabels = fixed
            return
        }
        var changed = settings
        changed.channelLabels = labels
        try createAgain(with: changed)
    }

    /// Leaves room in front of the sound for the table of so many seconds; throws as ``setMagicCookie(_:)``, and
    /// `kAudio_ParamError` for no length of time.
    func setReservedSeconds(_ seconds: Double) throws(StatusError) {
        guard seconds.isFinite, seconds >= 0 else { throw StatusError(kAudio_ParamError) }
        var changed = settings
        changed.reservedSeconds = seconds
        let packets = seconds * format.mSampleRate / Double(max(format.mFramesPerPacket, 1))
        // The engine has a limit of its own, far below.
        changed.expectedPackets = packets >= 1 ? Int64(min(packets, 1e15)) : nil
        try createAgain(with: changed)
    }

    /// Completes the file.
    func close() throws(StatusError) {
        changes += 1
        do throws(AudioFileError) {
            try writer.close()
            guard !late.isEmpty || !lateMetadata.isEmpty else { return }
            let editor = try AudioFileEditor.open(path: path)
            try late.apply(to: editor)
            try lateMetadata.apply(to: editor)
        } catch {
            throw error.code == .unsupported
                ? StatusError(kAudioFileOperationNotSupportedError) : StatusError(error)
        }
    }

    /// Stores the client's chunks ahead of the sound; it is the caller's to remember them.
    func setLeadingChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError) {
        changes += 1
        try writer.setChunks(chunks)
    }

    /// What the engine takes only when it creates a file, it gets by creating it once more, while it is empty.
    private func createAgain(
        with changed: Settings, format changedFormat: AudioStreamBasicDescription? = nil
    ) throws(StatusError) {
        guard packets == 0 else { throw StatusError(kAudioFileOperationNotSupportedError) }
        changes += 1
        do throws(AudioFileError) {
            // Before the file is emptied, or its end would be written into the new one.
            try writer.close()
            writer = try make(changed, changedFormat ?? format)
        } catch {
            // With what it was told before, it could be created.
            if let restored = try? make(settings, format) { writer = restored }
            throw settingFault(error)
        }
        settings = changed
        format = changedFormat ?? format
    }

    private func make(
        _ settings: Settings, _ format: AudioStreamBasicDescription
    ) throws(AudioFileError) -> AudioFileWriter {
        let writer = try AudioFileWriter.create(
            path: path, type: engineType, format: format, channelLabels: settings.channelLabels,
            options: .overwrite, expectedPackets: settings.expectedPackets)
        if !settings.magicCookie.isEmpty { try writer.setMagicCookie(settings.magicCookie) }
        if !settings.information.isEmpty { try writer.setInformation(settings.information) }
        if !settings.markers.isEmpty { try writer.setMarkers(settings.markers) }
        if !settings.regions.isEmpty { try writer.setRegions(settings.regions) }
        if !settings.chunks.isEmpty { try writer.setChunks(settings.chunks) }
        if let table = settings.packetTable { try writer.setPacketTable(table) }
        return writer
    }

    private func change(
        _ body: (AudioFileWriter) throws(AudioFileError) -> Void
    ) throws(StatusError) {
        guard packets == 0 else { throw StatusError(kAudioFileOperationNotSupportedError) }
        changes += 1
        do throws(AudioFileError) { try body(writer) } catch { throw settingFault(error) }
    }

    /// The result of setting a property: what the engine does not support is the property.
    private func settingFault(_ error: AudioFileError) -> StatusError {
        error.code == .unsupported
            ? StatusError(kAudioFileUnsupportedPropertyError) : StatusError(error)
    }
}
