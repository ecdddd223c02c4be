// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// A file that was created: the engine's writer, its settings, and the amount written.
final class AudioFileOutput {
    /// The settings of a file before its first packet.
    struct Settings {
        var channelLabels: [AudioChannelLabel]?
        var expectedPackets: Int64?
        var magicCookie: [UInt8] = []
        var metadata = FileMetadata()
        var packetTable: PacketTable?
        /// The client's chunks in front of the audio.
        var chunks: [AudioFileChunkContents] = []
        /// The duration in seconds that space is reserved for.
        var reservedSeconds: Double = 0
        /// The bit rate of a writer that encodes; nil for its own choice.
        var bitRate: Int?
    }

    let path: FilePath
    let fileType: AudioFileTypeID
    private(set) var format: AudioStreamBasicDescription
    var settings = Settings()
    /// Changes to chunks that are made when the audio is complete.
    var late = LateChunks()
    /// The tags, markers and regions that are written when the audio is complete.
    private(set) var lateMetadata = FileMetadata()
    private(set) var packets: Int64 = 0
    private(set) var bytes: Int64 = 0
    private(set) var largestPacketBytes = 0
    /// The number of changes to the file, so that an outdated reader can be detected.
    private(set) var changes = 0

    let engineType: AudioFileType
    private var writer: AudioFileWriter

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - overwrite: Whether an existing file is emptied rather than refused.
    ///   - encodedType: The type of a writer that encodes samples, which other functions do not create.
    /// - Throws: The result of `AudioFileCreateWithURL`.
    init(
        path: FilePath, fileType: AudioFileTypeID, format: AudioStreamBasicDescription, overwrite: Bool,
        encodedType: AudioFileType? = nil
    ) throws(StatusError) {
        guard let kind = AudioFileKind.kind(of: fileType), let engineType = encodedType ?? kind.writtenType
        else {
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
    /// - Returns: The number of packets written; the error if some were not written.
    func append(
        _ memory: UnsafeRawBufferPointer,
        descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?, packets count: Int
    ) -> (packets: Int, fault: StatusError?) {
        let framesBefore = writer.frameCount
        changes += 1
        do throws(AudioFileError) {
            try unsafe writer.append(memory, packetDescriptions: descriptions)
        } catch {
            // For packets of one size, the file's count of frames determines the number of packets.
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

    /// Overwrites bytes of packets of one size.
    ///
    /// - Parameter position: The offset from the first packet; the bytes end inside the existing ones.
    /// - Throws: `kAudioFileOperationNotSupportedError` for a file that can only be appended to.
    func overwrite(_ memory: UnsafeRawBufferPointer, at position: Int64) throws(StatusError) {
        changes += 1
        try StatusError.translating(unsupported: kAudioFileOperationNotSupportedError) {
            () throws(AudioFileError) in
            try unsafe writer.overwrite(memory, at: position)
        }
    }

    /// Removes the last packets of one size; packets appended later replace them.
    ///
    /// - Parameter byteCount: The number of bytes left: of whole packets, and no more than exist.
    /// - Throws: `kAudioFileOperationNotSupportedError` for another number, and for packets that differ in size.
    func shorten(toBytes byteCount: Int64) throws(StatusError) {
        guard format.hasConstantPacketSize, 0...bytes ~= byteCount,
            byteCount % Int64(format.mBytesPerPacket) == 0
        else { throw StatusError(kAudioFileOperationNotSupportedError) }
        changes += 1
        try StatusError.translating(unsupported: kAudioFileOperationNotSupportedError) {
            () throws(AudioFileError) in
            try writer.shorten(toBytes: byteCount)
        }
        bytes = byteCount
        packets = byteCount / Int64(format.mBytesPerPacket)
    }

    /// Stores the magic cookie.
    ///
    /// COMPAT: recorders store the cookie again at the end; the same cookie is not an error.
    ///
    /// - Throws: `kAudioFileOperationNotSupportedError` for another cookie after the first packet,
    ///   `kAudioFileUnsupportedPropertyError` if this file type stores no cookie.
    func setMagicCookie(_ cookie: [UInt8]) throws(StatusError) {
        guard cookie != settings.magicCookie else { return }
        try change { (writer) throws(AudioFileError) in try writer.setMagicCookie(cookie) }
        settings.magicCookie = cookie
    }

    /// Stores tags, markers or regions, at any time.
    ///
    /// - Throws: As ``setMagicCookie(_:)``.
    func setMetadata(_ metadata: FileMetadata) throws(StatusError) {
        if packets > 0, metadata.isAcceptedLate(by: engineType) {
            lateMetadata.update(with: metadata)
            return
        }
        try change { (writer) throws(AudioFileError) in try metadata.apply(to: writer) }
        settings.metadata.update(with: metadata)
    }

    var holdsPacketTable: Bool { [.caf, .m4a, .mp3].contains(engineType) }

    /// Sets the valid frames, at any time.
    ///
    /// - Throws: `kAudio_ParamError` for counts that are negative, or do not add up to the frames written,
    ///   `kAudioFileUnsupportedPropertyError` if this file type cannot store them.
    func setPacketTable(_ table: PacketTable) throws(StatusError) {
        // The published structure has 32 bits for priming and remainder frames.
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
        try StatusError.translating(unsupported: kAudioFileUnsupportedPropertyError) {
            () throws(AudioFileError) in
            try writer.setPacketTable(table)
        }
        settings.packetTable = table
    }

    /// A table for all packets written; `table` and the file on the disk may cover only some of them.
    func packetTable(_ table: PacketTable) -> PacketTable {
        let (total, overflow) = packets.multipliedReportingOverflow(by: Int64(format.mFramesPerPacket))
        return total > 0 && !overflow ? table.fitted(to: total) : table
    }

    /// Changes the format of the packets from the one at creation.
    ///
    /// - Parameter bitRate: The bit rate of a writer that encodes; nil for its own choice.
    /// - Throws: As ``setMagicCookie(_:)``.
    func setFormat(_ changed: AudioStreamBasicDescription, bitRate: Int? = nil) throws(StatusError) {
        var settings = settings
        settings.bitRate = bitRate
        try createAgain(with: settings, format: changed)
    }

    /// Sets the use of each channel. The order of the packets is accepted even if the file type cannot store it.
    ///
    /// - Throws: As ``setMagicCookie(_:)``; `kAudio_ParamError` for another number of channels.
    func setChannelLabels(_ labels: [AudioChannelLabel]) throws(StatusError) {
        guard labels.count == Int(format.mChannelsPerFrame) else { throw StatusError(kAudio_ParamError) }
        guard labels != settings.channelLabels else { return }
        if let fixed = engineType.fixedChannelLabels(of: format) {
            // A single channel has no order, whatever its label.
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

    /// Reserves space in front of the audio for the table of this many seconds.
    ///
    /// - Throws: As ``setMagicCookie(_:)``; `kAudio_ParamError` for a value that is not a duration.
    func setReservedSeconds(_ seconds: Double) throws(StatusError) {
        guard seconds.isFinite, seconds >= 0 else { throw StatusError(kAudio_ParamError) }
        var changed = settings
        changed.reservedSeconds = seconds
        let packets = seconds * format.mSampleRate / Double(max(format.mFramesPerPacket, 1))
        // The engine's own limit is far lower.
        changed.expectedPackets = packets >= 1 ? Int64(min(packets, 1e15)) : nil
        try createAgain(with: changed)
    }

    /// Completes and closes the file.
    func close() throws(StatusError) {
        changes += 1
        try StatusError.translating(unsupported: kAudioFileOperationNotSupportedError) {
            () throws(AudioFileError) in
            try writer.close()
            guard !late.isEmpty || !lateMetadata.isEmpty else { return }
            let editor = try AudioFileEditor.open(path: path)
            try late.apply(to: editor)
            try lateMetadata.apply(to: editor)
        }
    }

    /// Stores the client's chunks in front of the audio; the caller updates the settings.
    func setLeadingChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError) {
        changes += 1
        try writer.setChunks(chunks)
    }

    /// Creates the file again while it is empty, for settings that the engine accepts only at creation.
    private func createAgain(
        with changed: Settings, format changedFormat: AudioStreamBasicDescription? = nil
    ) throws(StatusError) {
        guard packets == 0 else { throw StatusError(kAudioFileOperationNotSupportedError) }
        changes += 1
        try StatusError.translating(unsupported: kAudioFileUnsupportedPropertyError) {
            () throws(AudioFileError) in
            do throws(AudioFileError) {
                // Closed before the file is emptied, or the old writer would write its end into the new file.
                try writer.close()
                writer = try make(changed, changedFormat ?? format)
            } catch {
                // The file could be created with the previous settings, which are restored.
                if let restored = try? make(settings, format) { writer = restored }
                throw error
            }
        }
        settings = changed
        format = changedFormat ?? format
    }

    private func make(
        _ settings: Settings, _ format: AudioStreamBasicDescription
    ) throws(AudioFileError) -> AudioFileWriter {
        let writer = try AudioFileWriter.create(
            path: path, type: engineType, format: format, channelLabels: settings.channelLabels,
            options: .overwrite, bitRate: settings.bitRate, expectedPackets: settings.expectedPackets)
        if !settings.magicCookie.isEmpty { try writer.setMagicCookie(settings.magicCookie) }
        try settings.metadata.apply(to: writer)
        if !settings.chunks.isEmpty { try writer.setChunks(settings.chunks) }
        if let table = settings.packetTable { try writer.setPacketTable(table) }
        return writer
    }

    private func change(
        _ body: (AudioFileWriter) throws(AudioFileError) -> Void
    ) throws(StatusError) {
        guard packets == 0 else { throw StatusError(kAudioFileOperationNotSupportedError) }
        changes += 1
        try StatusError.translating(unsupported: kAudioFileUnsupportedPropertyError) {
            () throws(AudioFileError) in
            try body(writer)
        }
    }
}
