// SPDX-License-Identifier: MIT

import CoreAudioTypes

struct MP4Metadata {
    private(set) var information: [AudioFileInformation] = []
    private(set) var artwork: AudioFileArtwork?
    private(set) var gapless: MP4GaplessNote?
    /// The starts of chapters in units of 100 ns, and their names.
    private(set) var chapters: [(start: Int64, name: String)] = []

    /// Reads the user data of a movie.
    init(_ moov: MP4Bytes) {
        guard let userData = moov.box("udta") else {
            if let list = moov.box("meta").flatMap(Self.list) { readList(list) }
            return
        }
        for box in userData.boxes() {
            switch box.type.description {
            case "'meta'": if let list = Self.list(in: box.contents) { readList(list) }
            case "'chpl'": readChapters(box.contents)
            default: readQuickTimeText(box)
            }
        }
    }

    /// The list of items in a metadata box, which has a version in ISO files but not in QuickTime files.
    private static func list(in meta: MP4Bytes) -> MP4Bytes? {
        meta.box("ilst", from: 4) ?? meta.box("ilst")
    }

    private mutating func readList(_ list: MP4Bytes) {
        for item in list.boxes() {
            guard let data = item.contents.box("data") else { continue }
            if item.type.rawValue == Self.code("covr") {
                // The first picture is the front cover.
                let picture = data.part(from: 8)
                if artwork == nil, 1...AudioFileArtwork.mostBytes ~= picture.count {
                    artwork = AudioFileArtwork(bytes: picture.array)
                }
                continue
            }
            let value = data.part(from: 8)
            switch item.type.rawValue {
            case Self.code("trkn"): addPair("track number", value)
            case Self.code("disk"): addPair("disc number", value)
            case Self.code("tmpo"): if let tempo = value.uint16(at: 0) { add("tempo", String(tempo)) }
            case Self.code("----"): readFreeForm(item.contents, value)
            case let type:
                // Text is UTF-8 (type 1); pictures and numbers have other types.
                guard let key = Self.keys[type], data.uint32(at: 0) == 1 else { continue }
                add(key, value.part(from: 0, count: Self.mostTextBytes).text)
            }
        }
    }

    private mutating func addPair(_ key: String, _ value: MP4Bytes) {
        guard let number = value.uint16(at: 2), number > 0 else { return }
        let total = value.uint16(at: 4) ?? 0
        add(key, total > 0 ? "\(number)/\(total)" : String(number))
    }

    /// Adds an item with its own name.
    private mutating func readFreeForm(_ item: MP4Bytes, _ value: MP4Bytes) {
        guard let name = item.box("name")?.part(from: 4, count: 256).text else { return }
        let text = value.part(from: 0, count: Self.mostTextBytes).text
        if name == "iTunSMPB" {
            gapless = gapless ?? MP4GaplessNote(text)
        } else if item.box("data")?.uint32(at: 0) == 1, let name = TagText.clean(name) {
            add(name, text)
        }
    }

    /// Adds a text item of QuickTime: length, language and text.
    private mutating func readQuickTimeText(_ box: MP4Box) {
        guard let key = Self.keys[box.type.rawValue], let length = box.contents.uint16(at: 0) else { return }
        add(key, box.contents.part(from: 4, count: min(Int(length), Self.mostTextBytes)).text)
    }

    private mutating func readChapters(_ chpl: MP4Bytes) {
        // Version 1 has four more bytes before the count.
        var position = chpl.uint8(at: 0) == 0 ? 4 : 8
        let count = Int(chpl.uint8(at: position) ?? 0)
        position += 1
        for _ in 0..<count {
            guard let start = chpl.uint64(at: position), let length = chpl.uint8(at: position + 8) else {
                return
            }
            let name = chpl.part(from: position + 9, count: Int(length)).text
            chapters.append((Int64(clamping: start), TagText.clean(name) ?? ""))
            position += 9 + Int(length)
        }
    }

    private mutating func add(_ key: String, _ value: String) {
        guard information.count < Self.mostItems, !information.contains(where: { $0.key == key }),
            let value = InformationText.clean(value)
        else { return }
        information.append(InformationKeys.information(key, value))
    }

    private static let mostItems = 256
    private static let mostTextBytes = InformationText.mostBytes

    private static func code(_ text: StaticString) -> UInt32 { FourCharacterCode(mp4: text).rawValue }

    private static let keys = Dictionary(
        (InformationKeys.mp4 + InformationKeys.quickTime).map { (InformationKeys.mp4Code($0.code), $0.key) },
        uniquingKeysWith: { first, _ in first })
}
