// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQNetworkInput
import AQToolSupport

/// Reads files one after another, and prints the requested facts of each file.
struct Inspector {
    let options: InfoOptions
    let surroundings: Surroundings
    let survey: LoudnessSurvey
    /// Whether the output contains a file, from which the next one is separated.
    private(set) var hasOutput = false

    /// Reads one file, and prints its facts.
    ///
    /// - Returns: `failure` if the file cannot be read or does not pass a requested check; `unchecked` if there is no
    ///   decoder for the check; `warnings` if the check found only problems that do not affect the audio.
    mutating func inspect(_ path: FilePath) throws(ToolFailure) -> ExitStatus {
        let file: AudioFile
        let input = RemoteAddress(bytes: path.bytes).map { NetworkInput($0, options: networkOptions) }
        do throws(AudioFileError) {
            file =
                if let input { try input.open(isEndNeeded: true) } else {
                    try AudioFile.open(path: path, isEndNeeded: true)
                }
        } catch {
            let isFile = input == nil && error.code == .notFound
            let refusal = isFile ? NetworkAddress.refusal(of: path, command: "aqinfo -") : nil
            return try fail(path, refusal ?? error.message)
        }
        if input?.isBroadcast == true, readsAll {
            return try fail(path, "cannot read all of '\(file.path)': it is a broadcast without an end")
        }
        try beginFile()
        if options.isJSON { try put("{") }
        if options.showsPackets, !options.isJSON, options.operands.count > 1 {
            try put(path.description + "\n")
        }
        var waveform = options.showsGraph || options.imagePath != nil ? emptyWaveform(of: file) : nil
        var table =
            options.showsPackets
            ? PacketTableWriter(
                file: file, limit: options.packetLimit, isJSON: options.isJSON, write: surroundings.write)
            : nil
        let isEndless = !readsAll && input?.mayBeEndless == true
        let meter = options.measuresLoudness ? survey.meter(for: file) : nil
        let scan = needsScan(file) && !isEndless ? self.scan(file, &waveform, &table, meter) : nil
        if let failure = table?.failure, failure != 0 { throw ToolFailure(writing: failure) }
        // Audio that cannot be decoded has no waveform.
        if waveform?.frames == 0, scan?.failure != nil { waveform = nil }
        var facts = FileFacts(file, scan: scan, isCheck: options.isCheck)
        if let input { facts.add(input) }
        if options.measuresLoudness {
            facts.loudness = survey.end(meter, of: path, failure: scan?.failure)
        }
        try report(facts, waveform)
        if !options.isCheck, readsAll, let failure = scan?.failure {
            surroundings.complain(failure)
            return .failure
        }
        return switch facts.verdict {
        case nil: .success
        case .intact?: facts.problems.isEmpty ? .success : .warnings
        case .damaged?: .failure
        case .unchecked?: .unchecked
        }
    }

    /// Whether a request needs all packets, so that even a stream that states no end is read.
    private var readsAll: Bool { options.needsSound || options.showsPackets }

    private var networkOptions: NetworkInput.Options {
        var networkOptions = NetworkInput.Options(userAgent: "\(InfoTool.name)/\(PackageVersion.text)")
        networkOptions.splitsBroadcasts = false
        networkOptions.reconnectSeconds = 30
        networkOptions.awaitsUnknownEnd = readsAll
        networkOptions.notice = { [complain = surroundings.complain] in complain(DisplayText.sanitized($0)) }
        return networkOptions
    }

    private func fail(_ path: FilePath, _ message: String) throws(ToolFailure) -> ExitStatus {
        survey.missFile()
        surroundings.complain(message)
        if options.isJSON { try put("{\(FileFacts.jsonFields(path: path, error: message))}\n") }
        return .failure
    }

    // MARK: Reading

    /// Returns whether the whole file is read: a request or a fact needs it, or the file is a pipe.
    private func needsScan(_ file: AudioFile) -> Bool {
        readsAll || !file.isSeekable
            || (!options.isBrief && !file.format.hasConstantPacketSize)
    }

    private func scan(
        _ file: AudioFile, _ waveform: inout Waveform?, _ table: inout PacketTableWriter?,
        _ meter: LoudnessMeter?
    ) -> FileScan.Result {
        table?.begin()
        let state = ScanState(waveform: waveform, table: table)
        var scan = FileScan(file: file, decodes: options.needsSound)
        if table != nil {
            // A limit on the rows does not affect other requests.
            let goesOn = options.needsSound
            scan.onPacket = { packet in state.add(packet) || goesOn }
        }
        if waveform != nil || meter != nil {
            let channels = Int(file.format.mChannelsPerFrame)
            scan.onSound = { samples in
                state.waveform?.add(samples)
                meter?.add(samples, channels: channels)
            }
        }
        let result = scan.run()
        state.table?.end()
        (waveform, table) = (state.waveform, state.table)
        return result
    }

    /// The results of a scan.
    private final class ScanState {
        var waveform: Waveform?
        var table: PacketTableWriter?
        private var wantsRows = true

        init(waveform: Waveform?, table: PacketTableWriter?) {
            (self.waveform, self.table) = (waveform, table)
        }

        func add(_ packet: FileScan.Packet) -> Bool {
            if wantsRows { wantsRows = table?.add(packet) ?? false }
            return wantsRows
        }
    }

    private func emptyWaveform(of file: AudioFile) -> Waveform {
        let channels = Int(file.format.mChannelsPerFrame)
        let imageWidth = options.imagePath == nil ? 0 : imageSize(channels: channels).width
        // A character has two columns of dots.
        let columns = max(imageWidth, options.showsGraph ? 2 * surroundings.columns : 0)
        return Waveform(channels: channels, columns: columns)
    }

    private func imageSize(channels: Int) -> InfoOptions.ImageSize {
        options.imageSize ?? WaveformImage.usualSize(channels: channels)
    }

    // MARK: Reports

    private func report(_ facts: FileFacts, _ waveform: Waveform?) throws(ToolFailure) {
        if let path = options.imagePath, let waveform { try draw(waveform, of: facts.path, to: path) }
        if options.imagePath == "-" { return }
        if options.isJSON {
            try put((options.showsPackets ? "," : "") + facts.jsonFields + "}\n")
        } else if options.isBrief {
            try put(facts.brief)
            for warning in facts.warnings { surroundings.complain("warning: '\(facts.path)': \(warning)") }
        } else if options.measuresLoudness {
            if let row = facts.loudness?.tableRow {
                let name = facts.path == "-" ? "standard input" : facts.path.description
                let check = facts.checkWords.map { "  (\($0))" } ?? ""
                try put(survey.takeTableHead() + "\(row)  \(name)\(check)\n")
            }
            for warning in facts.warnings { surroundings.complain("warning: '\(facts.path)': \(warning)") }
        } else if options.showsPackets {
            if let words = facts.checkWords { try put(words + "\n") }
            for warning in facts.warnings { surroundings.complain("warning: '\(facts.path)': \(warning)") }
        } else {
            try put(facts.text(columns: surroundings.columns))
        }
        guard options.showsGraph, let waveform else { return }
        let graph = WaveformGraph(columns: surroundings.columns, isBraille: surroundings.isUTF8)
        let lines = graph.lines(
            waveform, labels: facts.labels.map(LayoutNames.name(of:)), sampleRate: facts.format.mSampleRate)
        try put(lines.joined(separator: "\n") + "\n")
    }

    private func draw(_ waveform: Waveform, of source: FilePath, to path: FilePath) throws(ToolFailure) {
        let png: [UInt8]
        do throws(SystemError) {
            png = try WaveformImage.draw(waveform, size: imageSize(channels: waveform.channels)).png()
            if path != "-" {
                return try ImageFile.write(
                    png, toPath: path, overwrites: options.overwrites, source: FileIdentity(operand: source))
            }
        } catch {
            throw ToolFailure(.inputOutput, error.message)
        }
        let failure = surroundings.writeBytes(png)
        if failure != 0 { throw ToolFailure(writing: failure) }
    }

    /// Separates a file from the file before it. A file that cannot be read prints nothing, and needs no separation.
    private mutating func beginFile() throws(ToolFailure) {
        if hasOutput, !options.isJSON, !options.isBrief, !options.measuresLoudness { try put("\n") }
        hasOutput = true
    }

    /// Prints the loudness of all files together, if it could be measured.
    func reportAlbum() throws(ToolFailure) {
        let album = survey.endAlbum()
        if options.isJSON {
            var json = JSONWriter()
            json.object { json in
                json.key("album")
                if let album { album.write(to: &json) } else { json.null() }
            }
            return try put(",\n\(json.text)\n")
        }
        guard let album else { return }
        let name =
            options.operands.count == 1 ? "album of 1 file" : "album of \(options.operands.count) files"
        try put(options.isBrief ? "\(name): \(album.words)\n" : "\(album.tableRow)  \(name)\n")
    }

    func put(_ text: String) throws(ToolFailure) {
        let failure = surroundings.write(text)
        if failure != 0 { throw ToolFailure(writing: failure) }
    }
}
