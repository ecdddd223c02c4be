import AudioCodecs
import AudioDevices
import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// How frames go into a file.
extension ExtendedFile {
    /// Converts frames and writes what packets they fill.
    ///
    /// - Throws: `kExtAudioFileError_InvalidOperationOrder` for a file that is read; `kAudio_ParamError` if the
    ///   buffers do not hold so many frames; what the converter and the file say, and then the same at every call.
    func write(frames: Int, from list: UnsafeMutableAudioBufferListPointer) throws {
        guard isWriting else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        let converter = try readyConverter()
        guard unsafe BufferLists.hold(frames, list, converter.inputFormat) else {
            throw StatusError(kAudio_ParamError)
        }
        if let writingFailure { throw writingFailure }
        guard frames > 0 else { return }
        try prepareToWrite(converter)
        // Counted first: part of them may be in the file when something fails.
        place.didTransfer(frames: frames)
        var isGiven = false
        do {
            try unsafe drain(converter) { (_) throws -> AudioConverter.Supply in
                if isGiven { return unsafe .noDataNow }
                isGiven = true
                return unsafe BufferLists.supply(of: list, frames: frames, converter.inputFormat)
            }
        } catch {
            // The converter may hold on to frames that are the client's again, and has lost its place in the stream.
            _ = converter.reset()
            writingFailure = error
            throw error
        }
    }

    /// Writes what the converter and its encoder hold back, and which of the frames are sound, and closes the file if
    /// it is this object's.
    ///
    /// - Throws: The first failure; the file is closed even so.
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
        // Created all the same: a file without sound is one.
        if creation != nil { try setClientFormat(.float(channels: fileChannels, sampleRate: 44_100)) }
        guard let converter, place.clientFrames > 0 else { return }
        // What is in the file after a failure, which was told, stays as sound as it is.
        guard writingFailure == nil else { return try writePacketTable(converter) }
        try unsafe drain(converter) { (_) throws -> AudioConverter.Supply in unsafe .endOfStream }
        try writePacketTable(converter)
    }

    private var fileChannels: Int { max(1, Int(clamping: fileFormat.mChannelsPerFrame)) }

    /// Gives the file what stands ahead of its first packet.
    private func prepareToWrite(_ converter: ConverterObject) throws(StatusError) {
        guard !isStarted else { return }
        try adoptDepth(of: converter)
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

    /// Has the converter make packets until it needs more frames, or until the end, and writes them.
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
                let places: UnsafeBufferPointer<AudioStreamPacketDescription>? =
                    unsafe format.hasConstantPacketSize
                    ? nil : UnsafeBufferPointer(rebasing: descriptions[..<filled.packets])
                try openFile().write { (output) throws(StatusError) in
                    let result = unsafe output.append(bytes, descriptions: places, packets: filled.packets)
                    if let fault = result.fault { throw fault }
                }
            }
            if filled.isEnd || filled.isWaiting || filled.packets == 0 { return }
        }
    }

    /// Says which of the frames that the packets decode to are sound.
    private func writePacketTable(_ converter: ConverterObject) throws(StatusError) {
        let format = converter.outputFormat
        guard !format.isLinearPCM, format.mFramesPerPacket > 1 else { return }
        let wantedPriming = primingOverride ?? Int64(converter.engine.primingFrames)
        let wantedRemainder = remainderOverride ?? Int64(converter.engine.remainderFrames)
        try openFile().write { (output) throws(StatusError) in
            let all = output.packets * Int64(format.mFramesPerPacket)
            // More frames than there are cannot be cut off.
            let priming = min(wantedPriming, all)
            let remainder = min(wantedRemainder, all - priming)
            let table = PacketTable(
                primingFrames: priming, validFrames: all - priming - remainder, remainderFrames: remainder)
            // An ADTS stream cannot say so.
            try Self.passingOverUnsupported { () throws(StatusError) in try output.setPacketTable(table) }
        }
    }

    /// Tells a file something that its kind need not have a place for.
    private static func passingOverUnsupported(
        _ body: () throws(StatusError) -> Void
    ) throws(StatusError) {
        do throws(StatusError) { try body() } catch {
            guard error.status == kAudioFileUnsupportedPropertyError else { throw error }
        }
    }

    // MARK: On a thread

    /// Starts the thread that writes, unless it runs.
    ///
    /// - Throws: As ``write(frames:from:)``; `kExtAudioFileError_InvalidOperationOrder` after a write by this thread;
    ///   `kAudio_MemFullError` if the system has no thread to give.
    func startAsyncWriter() throws {
        guard isWriting else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        guard asyncWriter.withLock({ $0 == nil }) else { return }
        guard !isStarted else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        let converter = try readyConverter()
        try prepareToWrite(converter)
        let format = converter.inputFormat
        let twoSeconds = Int(Swift.min(Swift.max(format.mSampleRate * 2, 4096), Double(1 << 22)))
        let buffered = 4 * Int(transfer.byteCount) / max(Int(format.mBytesPerFrame), 1)
        // Not retained: the thread lives until the file is disposed of, and would keep it.
        let made = unsafe AsyncFileWriter(format: format, frames: max(twoSeconds, buffered)) {
            [weak self] list, frames in
            guard let self else { return kAudio_ParamError }
            return self.answer { file in try unsafe file.write(frames: frames, from: list) }
        }
        guard made.start() else { throw StatusError(kAudio_MemFullError) }
        asyncWriter.withLock { $0 = made }
    }
}
