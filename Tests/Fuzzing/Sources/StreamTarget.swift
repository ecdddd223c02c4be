// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQTestSupport

/// Parses streams of every type: whole, in pieces, with seeks, and with gaps.
///
/// Cuts, seeks and gaps depend on the input's digest, so any file is an input, and needs no bytes for them.
final class StreamTarget: FuzzTarget {
    func test(_ input: [UInt8]) -> Bool {
        var random = SplitMix(digest: input)
        let hints: [AudioFileType?] = [nil, nil, nil, .mp3, .adts, .wave]
        let hint = hints[.random(in: 0..<hints.count, using: &random)]
        let whole = StreamTrace(typeHint: hint)
        _ = whole.parse(input[...])
        whole.finish()
        check(whole, input)

        let pieces = StreamTrace(typeHint: hint)
        feed(input[...], to: pieces, &random)
        pieces.finish()
        require(
            pieces.facts == whole.facts,
            "pieces give what the whole gives: \(pieces.facts), whole \(whole.facts)")

        guard whole.stream.isReadyToProducePackets else { return true }
        if random.chance(2) {
            seek(input, hint, whole.facts, &random)
        } else {
            leaveGaps(input, hint, &random)
        }
        return true
    }

    private func check(_ trace: StreamTrace, _ input: [UInt8]) {
        let (stream, facts) = (trace.stream, trace.facts)
        require(facts.bytes.count <= input.count, "no byte is made up: \(facts.bytes.count)")
        guard stream.isReadyToProducePackets else { return }
        guard let format = stream.format, let offset = stream.dataOffset else {
            require(false, "what is ready has a format, and a place for its packets")
            return
        }
        require(facts.fileType != nil, "what is ready is of a known type")
        require(format.mSampleRate > 0 && format.mSampleRate.isFinite, "a stream has a rate: \(format)")
        require(
            facts.labels?.count == Int(format.mChannelsPerFrame),
            "there is a label for each channel: \(format)")
        require(
            offset >= 0 && (offset <= input.count || facts.packets == 0),
            "packets begin in the stream: \(offset)")
        require(facts.bitRate?.isFinite != false, "a bit rate is a number")
        if let table = facts.packetTable {
            require(
                table.primingFrames >= 0 && table.validFrames >= 0 && table.remainderFrames >= 0,
                "no count is below 0: \(table)")
        }
        if let count = facts.packetCount {
            require(
                count >= facts.packets,
                "there are no more packets than promised: \(facts.packets) of \(count), \(format)")
        }
    }

    /// Parses bytes in pieces; false once the stream has failed.
    @discardableResult
    private func feed(_ bytes: ArraySlice<UInt8>, to trace: StreamTrace, _ random: inout SplitMix) -> Bool {
        var rest = bytes
        // Single bytes take as long as everything else together.
        let most = random.chance(32) ? 1 : [16, 300, 3000][.random(in: 0..<3, using: &random)]
        while !rest.isEmpty {
            // Some pieces are empty.
            let piece = rest.prefix(.random(in: (most > 1 ? 0 : 1)...most, using: &random))
            guard trace.parse(piece) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    private func seek(
        _ input: [UInt8], _ hint: AudioFileType?, _ whole: StreamTrace.Facts, _ random: inout SplitMix
    ) {
        let trace = StreamTrace(typeHint: hint)
        let firstBytes = Int.random(in: 0...input.count, using: &random)
        guard feed(input[..<firstBytes], to: trace, &random) else { return }
        for _ in 0..<4 {
            let packet =
                random.chance(4)
                ? Int64.random(in: .min ... .max, using: &random)
                : .random(in: 0...Int64(whole.packets), using: &random)
            guard let place = try? trace.stream.seek(toPacket: packet) else { continue }
            require(place.byteOffset >= 0, "a packet lies behind the header: \(place)")
            let reported = try? trace.stream.byteOffset(ofPacket: packet)
            require(place.isEstimated || reported?.byteOffset == place.byteOffset, "a place stays: \(place)")
            trace.dropPackets()
            let (start, overflow) = place.byteOffset.addingReportingOverflow(trace.stream.dataOffset ?? 0)
            guard !overflow, start < Int64(input.count) else { continue }
            guard feed(input[Int(start)...], to: trace, &random) else { return }
            // MPEG audio and ADTS must find their synchronisation again, and may take longer than at first.
            guard whole.fileType != .mp3, whole.fileType != .adts, packet < whole.packets,
                trace.facts.packets > 0
            else { continue }
            require(!place.isEstimated, "a table gives exact offsets: \(place)")
            let packetBytes = Int(trace.stream.format?.mBytesPerPacket ?? 0)
            // MPEG-4 may have other data of any size between packets.
            let sought = Int(packet) * packetBytes
            require(
                whole.bytes[sought..<sought + packetBytes]
                    .elementsEqual(trace.facts.bytes.prefix(packetBytes)),
                "packet \(packet) is the one that is sought, at \(start)")
            require(
                packetBytes > 0 || trace.facts.sizes.first == whole.sizes[Int(packet)],
                "packet \(packet) is the one that is sought: \(trace.facts.sizes.prefix(3)) at \(start), "
                    + "\(whole.sizes.dropFirst(Int(packet)).prefix(3)) from the start")
        }
        trace.finish()
    }

    private func leaveGaps(_ input: [UInt8], _ hint: AudioFileType?, _ random: inout SplitMix) {
        let trace = StreamTrace(typeHint: hint)
        var rest = input[...]
        while !rest.isEmpty {
            let piece = rest.prefix(.random(in: 1...max(rest.count, 1), using: &random))
            rest = rest.dropFirst(piece.count)
            guard feed(piece, to: trace, &random) else { break }
            rest = rest.dropFirst(.random(in: 0...64, using: &random))
            guard trace.parse(rest.prefix(1), isDiscontinuous: true) else { break }
            rest = rest.dropFirst(1)
        }
        trace.finish()
    }
}
