// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQTestSupport

/// Reads files of one type like programs do: all properties, all packets, and single packets.
final class FileTarget: FuzzTarget {
    private let isOfKind: ([UInt8]) -> Bool
    private let file = InputFile()
    private let filesPerPipe: Int

    /// - Parameters:
    ///   - filesPerPipe: Of how many inputs one is read as a pipe too. That costs more, some of them a thread,
    ///     and most of what reads them is parsed by the target for streams.
    ///   - isOfKind: True for inputs that begin as files of the kind do.
    init(filesPerPipe: Int = 16, _ isOfKind: @escaping ([UInt8]) -> Bool) {
        self.filesPerPipe = filesPerPipe
        self.isOfKind = isOfKind
    }

    func test(_ input: [UInt8]) -> Bool {
        guard isOfKind(input) else { return false }
        var random = SplitMix(digest: input)
        file.fill(with: input)
        readFile(input, &random)
        if random.chance(filesPerPipe) { InputFile.withPipe(of: input, readPipe) }
        return true
    }

    private func readFile(_ input: [UInt8], _ random: inout SplitMix) {
        let audio: AudioFile
        do {
            audio = try AudioFile.open(path: file.path)
        } catch {
            require(error.message.hasPrefix("cannot open '"), "an error states the attempt: \(error)")
            require(error.code != .endOfFile, "nothing ends before it is open: \(error)")
            return
        }
        // Some properties are known only after the whole file was read, and must not change then.
        let isAskedFirst = random.chance(2)
        if isAskedFirst { askAll(of: audio, input) }
        let contents = PacketContents(of: audio)
        require(
            contents.failure == nil, "what is open can be read: \(contents.failure?.message ?? "")")
        askAll(of: audio, input)
        // Some formats of libsndfile can only be read forwards.
        guard audio.isSeekable else { return }
        checkCounts(of: audio, contents)
        var batch = PacketBatch(for: audio)
        for _ in 0..<4 {
            readPacket(.random(in: 0...Int64(contents.packets), using: &random), of: audio, contents, &batch)
        }
        seek(in: audio, contents, &random)
    }

    /// Reads all properties, and compares them with the file's size.
    private func askAll(of audio: AudioFile, _ input: [UInt8]) {
        let fileBytes = Int64(input.count)
        let format = audio.format
        require(format.mSampleRate > 0 && format.mSampleRate.isFinite, "a file has a rate: \(format)")
        require(1...1024 ~= format.mChannelsPerFrame, "a file has some channels: \(format)")
        require(
            audio.channelLabels.count == Int(format.mChannelsPerFrame),
            "there is a label for each channel: \(audio.channelLabels.count), \(format)")
        require(
            0...max(input.count, Self.mostConstantBytes) ~= audio.packetSizeUpperBound,
            "room for a packet is bounded: \(audio.packetSizeUpperBound)")
        require(audio.averageBitRate.isFinite && audio.averageBitRate >= 0, "a bit rate is a number")
        require(audio.magicCookie.count <= input.count + 64, "a cookie comes from the file")
        if let range = audio.dataRange {
            require(
                range.lowerBound >= 0 && range.upperBound <= fileBytes,
                "the packets lie in the file: \(range) of \(fileBytes)")
        }
        require(audio.chunks.count <= input.count, "no part is made up")
        for chunk in audio.chunks {
            require(
                0...fileBytes ~= chunk.offset && chunk.byteCount >= 0 && chunk.depth >= 0,
                "a part begins in the file: \(chunk) of \(fileBytes)")
        }
        let tagBytes = audio.information.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        // One byte can grow to three: a character that replaces invalid UTF-8.
        require(tagBytes <= 8 * input.count + 4096, "tags come from the file: \(tagBytes) bytes")
        require(audio.markers.count <= input.count, "no marker is made up")
        require(audio.regions.count <= input.count, "no region is made up")
        checkPicture(audio.artwork, input)
        let tags = audio.tags
        for text in [tags.title, tags.artist, tags.album] {
            require(text?.isEmpty != true, "a tag says something, or is not there")
        }
        for values in [audio.replayGain.track, audio.replayGain.album] {
            require(values.gainDecibels.map { abs($0) <= 60 } ?? true, "a gain is in the range of tags")
            require(values.peak.map { $0 > 0 && $0 <= 64 } ?? true, "a peak is in the range of tags")
        }
        require(audio.warnings.count <= 33, "warnings are bounded")
        if let table = audio.packetTable {
            require(
                table.primingFrames >= 0 && table.validFrames >= 0 && table.remainderFrames >= 0,
                "no count is below 0: \(table)")
            require(audio.frameCount == table.validFrames, "frames of sound are those of the table")
        }
    }

    private func checkPicture(_ picture: AudioFileArtwork?, _ input: [UInt8]) {
        guard let picture else { return }
        require(picture.bytes.count <= input.count, "a picture comes from the file: \(picture.mimeType)")
        _ = picture.pixelSize
    }

    private func checkCounts(of audio: AudioFile, _ contents: PacketContents) {
        guard let packets = try? audio.countPackets() else {
            require(false, "the packets of a file can be counted")
            return
        }
        require((try? audio.countPackets()) == packets, "counting twice gives the same")
        require((try? audio.countFrames()).map { $0 >= 0 } ?? false, "the frames of a file can be counted")
        guard contents.isWhole else { return }
        require(
            contents.isExact ? Int64(contents.packets) == packets : Int64(contents.packets) <= packets,
            "there are as many packets as were counted: \(contents.packets) of \(packets)")
    }

    private func readPacket(
        _ packet: Int64, of audio: AudioFile, _ contents: PacketContents, _ again: inout PacketBatch
    ) {
        let place = try? audio.byteOffset(ofPacket: packet)
        if let place {
            require(
                audio.dataRange.map { $0.lowerBound...$0.upperBound ~= place } ?? true,
                "packet \(packet) lies where packets do: \(place), \(String(describing: audio.dataRange))")
        }
        let read = try? again.read(from: packet, of: audio)
        guard contents.isWhole, contents.isExact else { return }
        if packet < contents.packets {
            let expected = contents.bytes(ofPacket: Int(packet))
            require(read?.packets ?? 0 > 0, "packet \(packet) can be read again")
            require(again.bytes[..<again.firstBytes] == expected, "packet \(packet) reads the same again")
        } else {
            require(read?.packets == 0, "there is nothing behind packet \(packet)")
            require(place == nil, "packet \(packet) lies nowhere")
        }
    }

    private func seek(in audio: AudioFile, _ contents: PacketContents, _ random: inout SplitMix) {
        let frames = audio.frameCount ?? 0
        for frame in [0, .random(in: 0...max(frames, 0), using: &random), frames, .max] {
            guard let point = try? audio.seekPoint(forFrame: frame) else { continue }
            require(
                point.packet >= 0 && point.framesToDiscard >= 0, "a seek leads into the file: \(point)")
            guard contents.isWhole, contents.isExact else { continue }
            require(point.packet <= contents.packets, "a seek leads to a packet: \(point)")
        }
    }

    /// The largest packet that format validation accepts, if all have one size.
    private static let mostConstantBytes = AudioStreamBasicDescription.maximumBytesPerPacket

    private func readPipe(path: String) {
        guard let audio = try? AudioFile.open(path: path) else { return }
        require(
            audio.channelLabels.count == Int(audio.format.mChannelsPerFrame),
            "there is a label for each channel: \(audio.channelLabels.count), \(audio.format)")
        require(audio.averageBitRate.isFinite, "a bit rate is a number")
        _ = (
            audio.packetTable, audio.magicCookie, audio.information, audio.tags, audio.chunks,
            audio.dataRange, audio.artwork?.pixelSize
        )
        _ = PacketContents(of: audio)
        _ = (audio.packetTable, audio.warnings, try? audio.countPackets())
    }
}
