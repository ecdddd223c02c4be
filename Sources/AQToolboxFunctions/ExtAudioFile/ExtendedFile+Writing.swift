// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

extension ExtendedFile {
    /// Converts frames and writes the packets that they fill.
    ///
    /// - Throws: `kExtAudioFileError_InvalidOperationOrder` for a file that is read; `kAudio_ParamError` if
    ///   the buffers are too small for the frames; errors of the converter and the file, which every later call
    ///   throws again.
    func write(frames: Int, from list: UnsafeMutableAudioBufferListPointer) throws {
        guard isWriting else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        let converter = try readyConverter()
        guard unsafe BufferLists.hold(frames, list, converter.inputFormat) else {
            throw StatusError(kAudio_ParamError)
        }
        if let writingFailure { throw writingFailure }
        guard frames > 0 else { return }
        try prepareToWrite(converter)
        // Counted first: some of the frames may be in the file when an error occurs.
        transferPosition.didTransfer(frames: frames)
        var isGiven = false
        do {
            try unsafe drain(converter) { (_) throws -> AudioConverter.Supply in
                if isGiven { return unsafe .noDataNow }
                isGiven = true
                return unsafe BufferLists.supply(of: list, frames: frames, converter.inputFormat)
            }
        } catch {
            // The converter may refer to frames that the client owns again, and has lost its position in the
            // stream.
            _ = converter.reset()
            writingFailure = error
            throw error
        }
    }

    /// Writes the remaining frames of the converter and its encoder, and the range of valid frames, and
    /// closes the file if this object owns it.
    ///
    /// - Throws: The first failure; the file is closed in any case.
    func finish() throws {
        defer { endConversion() }
        var failure: (any Error)?
        if isWriting {
            do { try finishWriting() } catch { failure = error }
        }
        if ownsFile, let file {
            let status = unsafe audioFileClose(file.handle)
            if failure == nil, status != noErr { failure = StatusError(status) }
        }
        if let failure { throw failure }
    }

    private func finishWriting() throws {
        // Created in any case: a file without audio is valid.
        if creation != nil { try setClientFormat(.float(channels: fileChannels, sampleRate: 44_100)) }
        guard let converter, transferPosition.clientFrames > 0 else { return }
        // After a reported failure, the valid frames in the file are those written.
        guard writingFailure == nil else { return try writePacketTable(converter) }
        try unsafe drain(converter) { (_) throws -> AudioConverter.Supply in unsafe .endOfStream }
        try writePacketTable(converter)
    }

    private var fileChannels: Int { max(1, Int(clamping: fileFormat.mChannelsPerFrame)) }

    /// Writes the data that precedes the first packet.
    private func prepareToWrite(_ converter: ConverterObject) throws(StatusError) {
        guard !isStarted else { return }
        try adoptSettings(of: converter)
        let cookie = converter.engine.magicCookie
        if !cookie.isEmpty {
            try openFile().write { (output) throws(StatusError) in
                try Self.passingOverUnsupported { () throws(StatusError) in
                    try output.setMagicCookie(cookie)
                }
            }
        }
        isStarted = true
    }

    /// Makes and writes packets, until the converter needs more frames, or until the end.
    private func drain(
        _ converter: ConverterObject, _ supply: (_ packetsWanted: Int) throws -> AudioConverter.Supply
    ) throws {
        let format = converter.outputFormat
        let packetBytes = max(converter.engine.maximumOutputPacketSize, 1)
        let memory = unsafe transfer.memory(packetBytes: packetBytes)
        let descriptions = unsafe transfer.descriptions(for: format)
        let fitting = memory.count / packetBytes
        let packets = format.hasConstantPacketSize ? fitting : min(fitting, descriptions.count)
        while true {
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(
                    mNumberChannels: format.mChannelsPerFrame, mDataByteSize: UInt32(clamping: memory.count),
                    mData: memory.baseAddress))
            let filled = try unsafe withUnsafeMutablePointer(to: &list) { list in
                try unsafe converter.fill(
                    UnsafeMutableAudioBufferListPointer(list), descriptions: descriptions.baseAddress,
                    maximumPackets: packets, supply: supply)
            }
            if filled.packets > 0 {
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[..<filled.bytes])
                let packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>? =
                    unsafe format.hasConstantPacketSize
                    ? nil : UnsafeBufferPointer(rebasing: descriptions[..<filled.packets])
                try openFile().write { (output) throws(StatusError) in
                    let result = unsafe output.append(
                        bytes, descriptions: packetDescriptions, packets: filled.packets)
                    if let fault = result.fault { throw fault }
                }
            }
            if filled.isEnd || filled.isWaiting || filled.packets == 0 { return }
        }
    }

    /// Writes the packet table, which states the valid frames.
    private func writePacketTable(_ converter: ConverterObject) throws(StatusError) {
        let format = converter.outputFormat
        guard !format.isLinearPCM, format.mFramesPerPacket > 1 else { return }
        let wantedPriming = primingOverride ?? Int64(converter.engine.primingFrames)
        let wantedRemainder = remainderOverride ?? Int64(converter.engine.remainderFrames)
        try openFile().write { (output) throws(StatusError) in
            let all = output.packets * Int64(format.mFramesPerPacket)
            // No more frames can be trimmed than exist.
            let priming = min(wantedPriming, all)
            let remainder = min(wantedRemainder, all - priming)
            let table = PacketTable(
                primingFrames: priming, validFrames: all - priming - remainder, remainderFrames: remainder)
            // An ADTS stream cannot store a packet table.
            try Self.passingOverUnsupported { () throws(StatusError) in try output.setPacketTable(table) }
        }
    }

    /// Calls `body`, and ignores that the file type cannot store a property.
    private static func passingOverUnsupported(
        _ body: () throws(StatusError) -> Void
    ) throws(StatusError) {
        do throws(StatusError) { try body() } catch {
            guard error.status == kAudioFileUnsupportedPropertyError else { throw error }
        }
    }

    // MARK: On a thread

    /// Starts the writing thread, unless it runs.
    ///
    /// - Throws: As ``write(frames:from:)``; `kExtAudioFileError_InvalidOperationOrder` after a write by this
    ///   thread; `kAudio_MemFullError` if the system cannot create a thread.
    func startAsyncWriter() throws {
        guard isWriting else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        guard asyncWriter.withLock({ $0 == nil }) else { return }
        guard !isStarted else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        let converter = try readyConverter()
        try prepareToWrite(converter)
        let format = converter.inputFormat
        let twoSeconds = Int(Swift.min(Swift.max(format.mSampleRate * 2, 4096), Double(1 << 22)))
        let buffered = 4 * Int(transfer.byteCount) / max(Int(format.mBytesPerFrame), 1)
        // A weak reference: the thread lives until the file is disposed of, and would keep the file alive.
        let made = unsafe AsyncFileWriter(format: format, frames: max(twoSeconds, buffered)) {
            [weak self] list, frames in
            guard let self else { return kAudio_ParamError }
            return self.answer { file in try unsafe file.write(frames: frames, from: list) }
        }
        guard made.start() else { throw StatusError(kAudio_MemFullError) }
        asyncWriter.withLock { $0 = made }
    }
}
