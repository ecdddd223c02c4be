// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQToolSupport

/// The report for users.
extension FileFacts {
    /// The number of lines printed of a longer list. One more line states the number of the others.
    private static let mostLines = 100

    func text(columns: Int) -> String {
        var report = Report(columns: columns)
        report.line(path == "-" ? "standard input" : path.description)
        if let fileBytes { report.field("Size", Self.bytes(fileBytes)) }
        report.field("Container", container)
        if isDecoded { report.field("Codec", codec) }
        report.field(isDecoded ? "Decoded to" : "Format", format.summary)
        report.lines("Description", report.wrapped(phrases: description))
        report.field("Channels", channels)
        report.field("Packets", packetLine)
        report.field("Frames", frameLine)
        report.field("Duration", seconds.map(DurationText.full) ?? "unknown")
        if bitRate > 0 { report.field("Bit rate", "\(Self.kilobits(bitRate)) kbit/s") }
        if !format.hasConstantPacketSize { report.field("Largest packet", largestPacketLine) }
        if let dataRange {
            report.field(
                "Audio data", "\(Self.bytes(Int64(dataRange.count))) at byte \(dataRange.lowerBound)")
        }
        addCookie(to: &report)
        addInformation(to: &report)
        if let artwork { report.field("Artwork", Self.words(for: artwork)) }
        addMarkersAndRegions(to: &report)
        addChunks(to: &report)
        if let checkWords { report.field("Check", checkWords) }
        report.lines("Problems", lines(of: .damage, for: report))
        report.lines("Warnings", lines(of: .oddity, for: report))
        return report.text
    }

    private func lines(of grade: AudioFileProblem.Grade, for report: Report) -> [String] {
        problems.filter { $0.grade == grade }.flatMap { report.wrapped($0.message, hang: 2) }
    }

    /// The fields of the stream description.
    private var description: [String] {
        [
            "\(FourCharacterCode(rawValue: format.mFormatID))",
            "flags \(Hexadecimal.text(format.mFormatFlags))", "\(format.mBitsPerChannel) bits/channel",
            "\(format.mBytesPerFrame) bytes/frame", "\(format.mBytesPerPacket) bytes/packet",
            "\(format.mFramesPerPacket) frames/packet",
        ]
    }

    private var channels: String {
        let names = labels.map(LayoutNames.name(of:)).joined(separator: " ")
        let layout = LayoutNames.layoutName(of: labels).map { ", \($0)" } ?? ""
        return "\(format.mChannelsPerFrame)\(layout): \(names)"
    }

    private var packetLine: String {
        guard let packets else { return "unknown" }
        let length = format.mFramesPerPacket > 1 ? " of \(format.mFramesPerPacket) frames" : ""
        return "\(packets)\(length)"
    }

    private var frameLine: String {
        guard let frames else { return "unknown" }
        guard let table, table.primingFrames != 0 || table.remainderFrames != 0 else { return "\(frames)" }
        return "\(frames), after \(table.primingFrames) of priming and before \(table.remainderFrames) of "
            + "remainder"
    }

    private var largestPacketLine: String {
        let bound = "at most \(packetBytesBound) bytes"
        return largestPacketBytes.map { "\($0) bytes (bound: \(packetBytesBound))" } ?? bound
    }

    private func addCookie(to report: inout Report) {
        guard !cookie.isEmpty else { return }
        let facts = CookieFacts(cookie: cookie, formatID: format.mFormatID)
        var lines = ["\(cookie.count) bytes" + (facts.kind.map { ": \($0)" } ?? "")]
        if let problem = facts.problem { lines += report.wrapped("cannot be read: \(problem)") }
        let fields = facts.fields.map { field in
            switch field.value {
            case .number(let number): "\(field.key) \(number)"
            case .text(let text): "\(field.key) \(text)"
            }
        }
        if !fields.isEmpty { lines += report.wrapped(phrases: fields) }
        let bytesInLine = max(8, (report.columns - Report.textColumn) / 24 * 8)
        for start in stride(from: 0, to: min(cookie.count, 1024), by: bytesInLine) {
            lines.append(
                Hexadecimal.text(cookie[start..<min(start + bytesInLine, cookie.count)], separator: " "))
        }
        if cookie.count > 1024 { lines.append("and \(cookie.count - 1024) more bytes") }
        report.lines("Magic cookie", lines)
    }

    private func addInformation(to report: inout Report) {
        let width = min(20, information.map { DisplayText.columns(of: $0.key) }.max() ?? 0)
        let lines = information.flatMap { entry in
            let padding = String(repeating: " ", count: max(0, width - DisplayText.columns(of: entry.key)))
            return report.wrapped(
                DisplayText.sanitized("\(entry.key)\(padding)  \(entry.value)"), hang: width + 2)
        }
        report.lines("Information", Self.cut(lines))
    }

    private func addMarkersAndRegions(to report: inout Report) {
        report.lines("Markers", Self.cut(markers.flatMap { report.wrapped(line($0)) }))
        let regions = regions.flatMap { region in
            report.wrapped(
                "\(region.identifier)" + (region.name.isEmpty ? "" : " \(region.name)")
                    + Self.words(regionFlags: region.flags))
                + region.markers.flatMap { report.wrapped(line($0), hang: 2).map { "  " + $0 } }
        }
        report.lines("Regions", Self.cut(regions))
    }

    private func line(_ marker: AudioFileMarker) -> String {
        var words = "frame \(Self.number(marker.framePosition))"
        if format.mSampleRate > 0 {
            words += " (\(DurationText.full(marker.framePosition / format.mSampleRate)))"
        }
        if marker.type != 0 { words += " \(FourCharacterCode(rawValue: marker.type))" }
        if marker.channel != 0 { words += ", channel \(marker.channel)" }
        return marker.name.isEmpty ? words : "\(words) \(marker.name)"
    }

    private func addChunks(to report: inout Report) {
        guard !chunks.isEmpty else { return }
        // Each column is as wide as its widest cell: a narrow terminal has no room for more, and a wrong size may have
        // twenty digits.
        let rows =
            [["", "at byte", "bytes"]]
            + chunks.map { chunk in
                [
                    String(repeating: "  ", count: min(chunk.depth, 8)) + "\(chunk.type)",
                    "\(chunk.offset)", "\(chunk.byteCount)",
                ]
            }
        let widths = (0..<3).map { column in rows.map { DisplayText.columns(of: $0[column]) }.max() ?? 0 }
        let lines = rows.map { row in
            [
                Self.left(row[0], widths[0]), Self.right(row[1], widths[1]), Self.right(row[2], widths[2]),
            ].joined(separator: "  ")
        }
        report.lines("Chunks", lines.prefix(1) + Self.cut(Array(lines.dropFirst())))
    }

    // MARK: Words

    /// The result of decoding; nil if it was not requested.
    var checkWords: String? {
        guard let check else { return nil }
        var parts = check.isMissingDecoder ? [] : ["\(check.frames) frames decoded"]
        if check.peak > 0 {
            parts.append("peak \(Decimal.text(Double(GainParser.decibels(check.peak)), decimals: 2)) dB")
        } else if check.frames > 0, !check.isMissingDecoder {
            parts.append("silence")
        }
        if check.damagedPackets > 0 {
            parts.append(
                check.damagedPackets == 1
                    ? "1 packet is damaged" : "\(check.damagedPackets) packets are damaged")
        }
        if let fault = check.fault { parts.append(fault) }
        if !damage.isEmpty {
            parts.append(damage.count == 1 ? "1 problem was found" : "\(damage.count) problems were found")
        }
        let oddities = problems.count - damage.count
        if oddities > 0 { parts.append(oddities == 1 ? "1 warning" : "\(oddities) warnings") }
        let words =
            switch verdict {
            case .intact: "intact: "
            case .unchecked: "not checked: "
            case .damaged, nil: "not intact: "
            }
        return words + parts.joined(separator: ", ")
    }

    private static func words(regionFlags flags: UInt32) -> String {
        let words = [(1, "loop"), (2, "forwards"), (4, "backwards")].filter { flags & $0.0 != 0 }.map(\.1)
        return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    }

    /// A description of a picture: `500 × 500 JPEG, 34 kB`.
    private static func words(for artwork: AudioFileArtwork) -> String {
        let size = artwork.pixelSize.map { "\($0.width) × \($0.height) " } ?? ""
        let type = artwork.mimeType
        let kind = type.hasPrefix("image/") ? type.dropFirst("image/".count).uppercased() : type
        return DisplayText.sanitized("\(size)\(kind), \(ByteCountParser.text(Int64(artwork.bytes.count)))")
    }

    private static func bytes(_ count: Int64) -> String {
        count < 1000 ? "\(count) bytes" : "\(count) bytes (\(ByteCountParser.text(count)))"
    }

    static func kilobits(_ rate: Double) -> String {
        Decimal.text(rate / 1000, decimals: rate < 99_950 ? 1 : 0)
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? Decimal.text(value, decimals: 3)
    }

    private static func cut(_ lines: [String]) -> [String] {
        guard lines.count > mostLines else { return lines }
        return lines.prefix(mostLines) + ["and \(lines.count - mostLines) more lines; '--json' shows all"]
    }

    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayText.columns(of: text)))
    }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - DisplayText.columns(of: text))) + text
    }
}
