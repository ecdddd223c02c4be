// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes
import AQNetworkInput
import Synchronization
import AQToolSupport

/// The conversion of one file.
final class Conversion: Sendable {
    /// The progress of the conversion.
    struct Progress {
        /// The number of converted frames of the input, without priming and remainder.
        var frames: Int64
        /// The number of frames to convert; nil if it is unknown.
        var totalFrames: Int64?
        /// The audio received so far from a live input; nil for other inputs.
        var recording: Recording?
    }

    /// The duration in seconds, and the size in bytes.
    struct Recording: Equatable {
        var seconds = 0.0
        var bytes: Int64 = 0
    }

    let input: FilePath
    let output: FilePath
    private let options: ConvertOptions
    private let type: AudioFileType
    private let isCancelled: @Sendable () -> Bool
    private let onNotice: @Sendable (String) -> Void
    /// Changed as a whole, so that a reader sees the frames and the duration of one time.
    private let state = Mutex(Progress(frames: 0))
    /// The items of the input that the output cannot hold.
    private let notes = Mutex<[String]>([])
    /// Damage in the packets, one line each.
    private let damage = Mutex<[String]>([])
    /// The output being written; nil before that, and after it was published or discarded.
    private let destination = Mutex<OutputDestination?>(nil)
    private let network = NetworkSource()
    /// The reason why the recording of a live input ended early; the output has what came before.
    private let interruption = Mutex<ToolFailure?>(nil)

    /// - Parameters:
    ///   - isCancelled: Called often, on the thread that runs the conversion.
    ///   - onNotice: Receives a line when a connection was lost, on any thread.
    init(
        input: FilePath, output: FilePath, type: AudioFileType, options: ConvertOptions,
        isCancelled: @escaping @Sendable () -> Bool, onNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.onNotice = onNotice
        self.input = input
        self.output = output
        self.type = type
        self.options = options
        self.isCancelled = isCancelled
    }

    /// The name of the input for messages.
    private var inputName: String {
        let name = RemoteAddress(bytes: input.bytes).map { "\($0)" } ?? "\(input)"
        return input == "-" ? "standard input" : "'\(name)'"
    }

    var progress: Progress { state.withLock { $0 } }

    /// Converts the file. Afterwards, the output either exists completely or not at all.
    func run() throws(ToolFailure) -> ConversionReport {
        let file: AudioFile
        do throws(AudioFileError) { file = try open() } catch {
            if error.code == .notFound, RemoteAddress(bytes: input.bytes) == nil,
                let refusal = NetworkAddress.refusal(of: input, command: "aqconvert - OUTPUT")
            {
                throw ToolFailure(.failure, refusal)
            }
            throw ToolFailure(reading: error)
        }
        let plan: Plan
        do throws(ToolFailure) {
            plan = try Plan(options, type: type, source: file, hasOpenEnd: hasOpenEnd(file))
        } catch {
            throw ToolFailure(error.status, "cannot convert \(inputName): \(error.message)")
        }
        if options.outputDirectory != nil { try OutputFolder.make(output.directory) }
        let destination = try OutputDestination(path: output, overwrites: options.overwrites)
        self.destination.withLock { $0 = destination }
        do throws(ToolFailure) {
            var report = try convert(file, plan, to: destination)
            let problems = network.problems(of: file)
            report.oddities = problems.filter { $0.grade == .oddity }.map(\.message)
            report.damage =
                problems.filter { $0.grade == .damage }.map(\.message) + damage.withLock { $0 }
            report.losses = [plan.depthLoss, plan.layoutLoss].compactMap { $0 } + notes.withLock { $0 }
            if options.isStrict, !report.damage.isEmpty {
                throw ToolFailure(
                    .failure,
                    "cannot convert \(inputName): it is damaged: \(report.damage.joined(separator: "; "))")
            }
            try publish()
            if let failure = interruption.withLock({ $0 }) { throw failure }
            return report
        } catch {
            abandon()
            throw destination.named(error)
        }
    }

    private func open() throws(AudioFileError) -> AudioFile {
        guard let address = RemoteAddress(bytes: input.bytes) else {
            return try AudioFile.open(path: input, isEndNeeded: true)
        }
        return try network.open(
            address,
            options: options.networkOptions { [onNotice, inputName] notice in
                onNotice("\(inputName): \(DisplayText.sanitized(notice))")
            })
    }

    /// Ends the recording of a live input: the output has what was received. Called by any thread.
    ///
    /// - Returns: False if the input is not live.
    func endRecording() -> Bool { network.end() }

    /// Whether the conversion has to end without an output.
    private var mustEnd: Bool { isCancelled() && !network.isLive }

    /// Removes the output unless it was published. May be called from any thread, because a pipe may block the thread
    /// of the conversion.
    func abandon() {
        destination.withLock { destination in
            destination?.discard()
            destination = nil
        }
    }

    private func publish() throws(ToolFailure) {
        try destination.withLock { (destination) throws(ToolFailure) in
            guard let whole = destination else { throw ToolFailure.interrupted }
            destination = nil
            try whole.publish()
        }
    }

    private func convert(
        _ file: AudioFile, _ plan: Plan, to destination: OutputDestination
    ) throws(ToolFailure) -> ConversionReport {
        // The frames are counted even if the whole file must be read, because the progress depends on their number.
        let end = plan.range.end ?? (hasOpenEnd(file) ? nil : file.frameCount)
        let available = end.map { $0 - plan.range.start }
        state.withLock {
            $0.totalFrames = available.map { max(0, $0) }
            if network.isLive { $0.recording = Recording() }
        }
        let writer =
            plan.isCopy ? try copy(file, plan, to: destination) : try encode(file, plan, to: destination)
        return ConversionReport(
            input: input, output: output, isCopy: plan.isCopy, container: writer.type.name,
            isEncodedByWriter: writer.type.linearInputCodec != nil && writer.format.isLinearPCM,
            format: writer.format, frames: progress.frames, byteCount: writer.byteCount)
    }

    /// Whether only the end of an input shows its length. The beginning may count an introduction that the server
    /// sends before the stream.
    private func hasOpenEnd(_ file: AudioFile) -> Bool { network.isLive && !file.isSeekable }

    /// The duration of a block of a live input, in seconds. A block is written when all of it has arrived.
    private static let liveSeconds = 0.5

    private func makeSupply(_ file: AudioFile, from packet: Int64) -> PacketSupply {
        PacketSupply(
            file, from: packet, seconds: network.isLive ? Self.liveSeconds : nil,
            isCancelled: { [self] in
                network.noteProblems(of: file)
                return mustEnd
            })
    }

    /// Ends the recording of a live input, which cannot be received again: the output keeps what is in it.
    ///
    /// - Throws: The failure if there is nothing to keep, or the input can be converted again.
    private func end(at failure: ToolFailure, _ writer: AudioFileWriter) throws(ToolFailure) {
        guard network.isLive, writer.frameCount > 0 else { throw failure }
        interruption.withLock { $0 = $0 ?? failure }
    }

    // MARK: Copying

    private func copy(
        _ file: AudioFile, _ plan: Plan, to destination: OutputDestination
    ) throws(ToolFailure) -> AudioFileWriter {
        let supply = makeSupply(file, from: 0)
        let table = hasOpenEnd(file) ? openTable(priming: file.primingFrames) : file.packetTable
        // If the packets cannot be counted, the copy fails for the same reason and reports it.
        let writer = try makeWriter(
            plan, format: file.format, to: destination, cookie: file.magicCookie, table: table, of: file,
            expectedPackets: hasOpenEnd(file) ? nil : try? file.countPackets())
        while true {
            do throws(ToolFailure) {
                let block = try unsafe supply.next()
                if unsafe block.packets == 0 { break }
                try unsafe append(block.bytes, block.descriptions, to: writer)
            } catch {
                try end(at: error, writer)
                break
            }
            report(supply, writer)
        }
        try finish(writer, table: file.packetTable ?? table)
        return writer
    }

    /// The packet table of an output whose length is not known yet.
    private func openTable(priming: Int64) -> PacketTable {
        PacketTable(primingFrames: priming, validFrames: 0, remainderFrames: 0)
    }

    // MARK: Converting

    private func encode(
        _ file: AudioFile, _ plan: Plan, to destination: OutputDestination
    ) throws(ToolFailure) -> AudioFileWriter {
        let converter = try makeConverter(file, plan)
        let (firstPacket, trim) = try beginning(file, plan.range)
        converter.inputTrim = trim
        let supply = makeSupply(file, from: firstPacket)
        if hasOpenEnd(file) {
            // The length is known at the end, and then before the last packets are returned.
            supply.onRead = { [self, unowned converter] in
                converter.inputTrim = openTrim(file, plan.range)
            }
        }
        let writer = try makeWriter(
            plan, format: converter.outputFormat, to: destination, cookie: converter.magicCookie,
            table: converter.outputFormat.isLinearPCM
                ? nil
                : openTable(priming: Int64(converter.primingFrames)),
            of: file, expectedPackets: expectedPackets(of: converter.outputFormat, from: file, plan.range))
        let block = OutputBlock(
            converter, seconds: network.isLive ? Self.liveSeconds : nil, inputName: inputName)
        var packets: Int64 = 0
        while true {
            do throws(ToolFailure) {
                let filled = try block.fill(from: converter, supply)
                if filled.packets > 0 {
                    try unsafe append(block.bytes(filled), block.descriptions(filled), to: writer)
                    packets += Int64(filled.packets)
                    report(supply, writer)
                }
                if filled.isEnd { break }
            } catch {
                try end(at: error, writer)
                break
            }
        }
        noteDamage(converter, file, validFrames: converter.inputTrim?.valid)
        guard packets > 0 || plan.range.isAll else {
            throw ToolFailure(
                .failure,
                "cannot convert \(inputName): \(Plan.Range.nothing(in: file, of: file.frameCount).message)")
        }
        let decoded = packets * Int64(converter.outputFormat.mFramesPerPacket)
        let (priming, remainder) = (Int64(converter.primingFrames), Int64(converter.remainderFrames))
        let table =
            converter.outputFormat.isLinearPCM
            ? nil
            : PacketTable(
                primingFrames: priming, validFrames: max(0, decoded - priming - remainder),
                remainderFrames: remainder)
        try finish(writer, table: table)
        if writer.type == .mp3, writer.format.isLinearPCM, !destination.isRegular {
            notes.withLock {
                $0.append(
                    "MP3 in a pipe cannot state its valid frames: it begins and ends with a little silence")
            }
        }
        return writer
    }

    /// Records lost packets, and frames that are missing at the end.
    ///
    /// - Parameter validFrames: The number of frames in the range; nil if the file does not state it.
    private func noteDamage(_ converter: AudioConverter, _ file: AudioFile, validFrames: Int64?) {
        var lines = [DamageText.silentPackets(converter.damagedPackets)].compactMap { $0 }
        // For samples, the reader reports this damage itself.
        if let validFrames, converter.inputFrames < validFrames, !file.format.isLinearPCM, !network.wasEnded {
            lines.append("the audio ends at frame \(converter.inputFrames) of \(validFrames)")
        }
        damage.withLock { $0 += lines }
    }

    private func makeConverter(_ file: AudioFile, _ plan: Plan) throws(ToolFailure) -> AudioConverter {
        do throws(CodecError) {
            let converter = try AudioConverter(
                from: file.format, to: plan.output, settings: plan.settings, magicCookie: file.magicCookie,
                inputLabels: plan.channelOrder.decoded, outputLabels: plan.channelOrder.converted)
            if let quality = options.rateQuality { converter.rateQuality = quality }
            converter.ditherKind = plan.dither
            return converter
        } catch {
            throw ToolFailure(.failure, "cannot convert \(inputName): \(error.message)")
        }
    }

    /// Returns the first packet to decode, and the range of frames to keep from there on.
    private func beginning(
        _ file: AudioFile, _ range: Plan.Range
    ) throws(ToolFailure) -> (packet: Int64, trim: FrameTrim?) {
        if hasOpenEnd(file) { return (0, openTrim(file, range)) }
        let valid = [range.end, file.frameCount].compactMap { $0 }.min()
        guard range.start > 0 else {
            // Samples need no trim, unless an option requests a range or the file has priming or a remainder.
            let isCut = file.packetTable.map { $0.primingFrames > 0 || $0.remainderFrames > 0 } ?? false
            if file.format.isLinearPCM, range.end == nil, !isCut { return (0, nil) }
            return (0, FrameTrim(priming: file.primingFrames, valid: valid))
        }
        do throws(AudioFileError) {
            let point = try file.seekPoint(forFrame: range.start)
            return (
                point.packet,
                FrameTrim(
                    priming: point.framesToDiscard, valid: valid.map { $0 - range.start })
            )
        } catch {
            throw ToolFailure(reading: error)
        }
    }

    /// Returns the frames to keep of an input that is read from its first packet on, as far as they are known.
    private func openTrim(_ file: AudioFile, _ range: Plan.Range) -> FrameTrim {
        let end = [range.end, file.frameCount].compactMap { $0 }.min()
        // A count before the range may be that of an introduction, and must not end the conversion.
        return FrameTrim(
            priming: file.primingFrames + range.start, valid: end.map { max($0 - range.start, 1) })
    }

    /// Returns the number of packets of the output without those that the encoder adds; nil if it is unknown.
    private func expectedPackets(
        of format: AudioStreamBasicDescription, from file: AudioFile, _ range: Plan.Range
    ) -> Int64? {
        let count = hasOpenEnd(file) ? nil : file.frameCount
        guard let end = [range.end, count].compactMap({ $0 }).min(), end > range.start else {
            return nil
        }
        let seconds = Double(end - range.start) / file.format.mSampleRate
        return Int64(exactly: (seconds * format.mSampleRate / Double(format.mFramesPerPacket)).rounded(.up))
    }

    // MARK: Writing

    /// - Parameter table: The values that are known before the first packet.
    private func makeWriter(
        _ plan: Plan, format: AudioStreamBasicDescription, to destination: OutputDestination, cookie: [UInt8],
        table: PacketTable?, of file: AudioFile, expectedPackets: Int64?
    ) throws(ToolFailure) -> AudioFileWriter {
        do throws(AudioFileError) {
            // An incomplete file is useless, and is removed if the conversion fails, unless it cannot be repeated.
            var writing: AudioFileWriter.Options =
                destination.isBeside && !network.isLive ? .wholeOrNothing : []
            if destination.isBeside || options.overwrites { writing.insert(.overwrite) }
            let writer = try AudioFileWriter.create(
                path: destination.workPath, type: plan.type, format: format,
                channelLabels: plan.channelOrder.stored,
                options: writing,
                bitRate: plan.type.writerHasBitRate && format.isLinearPCM ? options.bitRate : nil,
                expectedPackets: expectedPackets)
            if !cookie.isEmpty { try writer.setMagicCookie(cookie) }
            // In a stream, the number of frames before the audio cannot be added later.
            if let table { _ = try set(table, of: writer) }
            if options.keepsInformation {
                let lost = try copyMetadata(
                    of: file, to: writer, plan, framesPerFrame: format.mSampleRate / file.format.mSampleRate)
                notes.withLock { $0 += lost }
            }
            return writer
        } catch {
            throw ToolFailure(writing: error)
        }
    }

    private func append(
        _ bytes: UnsafeRawBufferPointer, _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        to writer: AudioFileWriter
    ) throws(ToolFailure) {
        do throws(AudioFileError) {
            try unsafe writer.append(bytes, packetDescriptions: descriptions)
        } catch {
            throw ToolFailure(writing: error)
        }
    }

    private func finish(_ writer: AudioFileWriter, table: PacketTable?) throws(ToolFailure) {
        do throws(AudioFileError) {
            // That an ADTS stream cannot state its valid frames is documented, and needs no warning.
            if let table, try !set(table, of: writer), writer.type != .adts,
                table.primingFrames > 0 || table.remainderFrames > 0
            {
                notes.withLock {
                    $0.append(
                        "the output cannot state that its first \(table.primingFrames) and its last "
                            + "\(table.remainderFrames) frames are padding")
                }
            }
            try writer.close()
        } catch {
            try end(at: ToolFailure(writing: error), writer)
            try? writer.close()
        }
    }

    /// - Returns: False if the file cannot state its valid frames, or not this number.
    private func set(_ table: PacketTable, of writer: AudioFileWriter) throws(AudioFileError) -> Bool {
        do throws(AudioFileError) {
            try writer.setPacketTable(table)
            return true
        } catch {
            if error.code != .unsupported { throw error }
            return false
        }
    }

    private func report(_ supply: PacketSupply, _ writer: AudioFileWriter) {
        let read = supply.packet * Int64(max(1, supply.file.format.mFramesPerPacket))
        let received = Recording(
            seconds: Double(read) / supply.file.format.mSampleRate, bytes: writer.byteCount)
        state.withLock {
            $0.frames = min(read, $0.totalFrames ?? read)
            if $0.recording != nil { $0.recording = received }
        }
    }
}
