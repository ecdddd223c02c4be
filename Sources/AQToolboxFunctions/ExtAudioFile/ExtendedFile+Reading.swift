// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

extension ExtendedFile {
    /// Reads frames in the client's format; fewer than requested only at the end of the file, and none after it.
    ///
    /// - Throws: `kExtAudioFileError_InvalidOperationOrder` for a file that is written; errors of the file
    ///   and the converter.
    func read(frames: Int, into list: UnsafeMutableAudioBufferListPointer) throws -> Int {
        guard !isWriting else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        let converter = try readyConverter()
        if transferPosition.needsBeginning { try begin(converter) }
        guard frames > 0 else { return 0 }
        let file = try openFile()
        let filled = try unsafe converter.fill(list, descriptions: nil, maximumPackets: frames) {
            (_) throws -> AudioConverter.Supply in
            try unsafe self.nextPackets(of: file)
        }
        transferPosition.didTransfer(frames: filled.packets)
        return filled.packets
    }

    /// Sets the position to a frame, counted at the file's rate from the first valid frame.
    ///
    /// - Throws: `kExtAudioFileError_InvalidSeek` for a file that is written, and outside of the valid
    ///   frames.
    func seek(to frame: Int64) throws(StatusError) {
        guard !isWriting, frame >= 0 else { throw StatusError(kExtAudioFileError_InvalidSeek) }
        if let length = try lengthInFrames(), frame > length {
            throw StatusError(kExtAudioFileError_InvalidSeek)
        }
        transferPosition.begin(at: frame)
    }

    /// The position of the next frame, at the file's rate.
    func position() throws(StatusError) -> Int64 {
        let clientRate = clientFormat?.mSampleRate ?? 0
        let frame = transferPosition.frame(fileRate: fileFormat.mSampleRate, clientRate: clientRate) ?? .max
        // The client's last frame may be slightly beyond the file's last frame.
        guard !isWriting, transferPosition.clientFrames > 0, let length = try lengthInFrames() else {
            return frame
        }
        return min(frame, length)
    }

    /// The number of valid frames at the file's rate; for a file that is written, the number written. Nil before
    /// the end of a pipe.
    func lengthInFrames() throws(StatusError) -> Int64? {
        if isWriting { return try position() }
        return try openFile().read { (file) throws(AudioFileError) -> Int64? in
            guard let table = file.packetTable else {
                return try file.isSeekable ? file.countFrames() : nil
            }
            // Invalid numbers in a file must give no frames, not a trap.
            let taken =
                (self.primingOverride ?? table.primingFrames)
                &+ (self.remainderOverride ?? table.remainderFrames)
            let all = table.primingFrames &+ table.validFrames &+ table.remainderFrames
            return max(0, all &- taken)
        }
    }

    // MARK: Positions and packets

    /// Sets the file and the converter to the position where reading begins.
    private func begin(_ converter: ConverterObject) throws(StatusError) {
        let (point, valid) = try beginning()
        // Samples that are not trimmed at either end need no trim.
        let remainder = try remainder()
        let isWhole =
            fileFormat.isLinearPCM && point.framesToDiscard == 0 && valid != 0 && remainder == 0
        let trim = isWhole ? nil : FrameTrim(priming: point.framesToDiscard, valid: valid)
        try StatusError.check(converter.begin(trim: trim))
        transferPosition.didBegin(atPacket: point.packet)
    }

    /// The number of frames at the end that are not valid.
    private func remainder() throws(StatusError) -> Int64 {
        if let remainderOverride { return remainderOverride }
        return try openFile().read { (file) throws(AudioFileError) in file.packetTable?.remainderFrames ?? 0 }
    }

    /// The packet to begin with, the number of frames to drop, and the number of valid frames after these.
    private func beginning() throws(StatusError) -> (SeekPoint, valid: Int64?) {
        let frame = transferPosition.startFrame
        let valid = try lengthInFrames().map { max(0, $0 - frame) }
        let givenPriming = primingOverride
        let point = try openFile().read { (file) throws(AudioFileError) -> SeekPoint in
            let priming = givenPriming ?? file.primingFrames
            // The frame in the file's own count, which begins after the file's own priming.
            let start = frame.addingReportingOverflow(priming &- file.primingFrames)
            if frame == 0 || start.overflow || start.partialValue <= 0 || valid == 0 {
                let (frames, isHuge) = frame.addingReportingOverflow(priming)
                return SeekPoint(packet: 0, framesToDiscard: valid == 0 ? 0 : isHuge ? .max : frames)
            }
            return try file.seekPoint(forFrame: start.partialValue)
        }
        return (point, valid)
    }

    /// Reads the next packets of the file as input of the converter.
    private func nextPackets(of file: FileAccess) throws(StatusError) -> AudioConverter.Supply {
        let format = fileFormat
        let packet = transferPosition.nextPacket
        let transfer = self.transfer
        let (read, bytes) = try unsafe file.read {
            (file) throws(AudioFileError) -> (PacketRead, UnsafeMutableRawBufferPointer) in
            let memory = unsafe transfer.memory(packetBytes: file.packetSizeUpperBound)
            do throws(AudioFileError) {
                let read = try unsafe file.readPackets(
                    from: packet, into: memory, descriptions: transfer.descriptions(for: format))
                return unsafe (read, memory)
            } catch {
                guard error.code == .endOfFile else { throw error }
                return unsafe (PacketRead(packets: 0, bytes: 0), memory)
            }
        }
        guard read.packets > 0 else { return unsafe .endOfStream }
        transferPosition.didRead(packets: read.packets)
        let packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>? =
            unsafe format.hasConstantPacketSize
            ? nil
            : UnsafeBufferPointer(rebasing: transfer.descriptions(for: format)[..<read.packets])
        return unsafe .packets(
            UnsafeRawBufferPointer(rebasing: bytes[..<read.bytes]), descriptions: packetDescriptions,
            packetCount: read.packets)
    }
}
