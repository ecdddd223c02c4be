/// Chunks of a RIFF header that libsndfile must not be shown.
///
/// QUIRK: libsndfile 1.2 adds the lengths inside a list in 32 bits. One near the end of their range leads it back, and
/// it never comes out of the list again. It also reads as many records as a chunk counts, whatever its length, and
/// goes on among what is no chunk. What is in these chunks is read here anyway.
struct RIFFTraps {
    /// Where the types of such chunks stand, from the beginning of the file.
    private(set) var offsets: [Int64] = []
    /// True if nothing that is not at hand comes before the sound.
    private(set) var isComplete = false

    private let byteCount: Int64
    private let read: (_ offset: Int64, _ count: Int) -> [UInt8]?
    private var isBigEndian = false
    /// Whether libsndfile reads the file as RF64: without padding behind chunks of odd length.
    private var isLarge = false

    /// A type that makes libsndfile pass over a chunk.
    static let passed = Array("JUNK".utf8)

    /// Looks through a file.
    ///
    /// - Parameter start: Where the header begins: behind a tag.
    init(file: OpenFile, from start: Int64 = 0) {
        self.init(byteCount: file.bytes ?? 0, from: start, read: file.whole)
    }

    /// Looks through the first bytes of a pipe.
    init(head: [UInt8]) {
        self.init(byteCount: Int64(head.count), from: 0) { offset, count in
            guard let start = Int(exactly: offset), start <= head.count - count else { return nil }
            return Array(head[start..<start + count])
        }
    }

    private init(byteCount: Int64, from start: Int64, read: @escaping (Int64, Int) -> [UInt8]?) {
        self.byteCount = byteCount
        self.read = read
        switch text(at: start) {
        case "RIFF": break
        case "RF64", "BW64": isLarge = true
        case "RIFX": isBigEndian = true
        default:
            isComplete = true
            return
        }
        walk(from: start + 12)
    }

    private mutating func walk(from first: Int64) {
        var offset = first
        var largeDataBytes: Int64?
        for _ in 0..<FormatLimits.mostChunks {
            guard let type = text(at: offset), var length = number(at: offset + 4) else { return }
            let contents = offset + 8
            let left = max(byteCount - contents, 0)
            var next = padded(contents + length, length)
            switch type {
            case "LIST", "INFO":
                let list = contents..<contents + min(length, left)
                if let end = endOfList(list, isINFO: type == "INFO", next: next) {
                    next = end
                } else {
                    offsets.append(offset)
                }
            case "cue " where !holds(length, header: 4, countAt: contents, most: 2500),
                "smpl" where !holds(length, header: 36, countAt: contents + 28),
                "fact" where length < 4:
                offsets.append(offset)
            case "ds64" where isLarge && largeDataBytes == nil:
                largeDataBytes = largeNumber(at: contents + 8)
                next = endOfSizes(contents..<next)
            case "data":
                isComplete = true
                // It takes the large length whatever the other is.
                if isLarge { length = largeDataBytes ?? length }
                let (end, overflow) = contents.addingReportingOverflow(length)
                guard !overflow, end <= byteCount else { return }
                next = padded(end, length)
            case "fmt ", "ds64", "bext", "cart", "PEAK", "JUNK", "PAD ": break
            // It looks for a chunk three bytes further on, or ends.
            case _ where !isPrintable(type):
                guard contents & 3 != 0, length < Self.leastImpossibleLength else { return }
                next = padded(contents - 3, length)
            default: break
            }
            guard next <= byteCount, next > offset else { return }
            offset = next
        }
    }

    /// Where libsndfile goes on behind a list; nil if it may go astray inside.
    ///
    /// - Parameter next: Where the chunk behind the list should begin.
    private func endOfList(_ range: Range<Int64>, isINFO: Bool, next: Int64) -> Int64? {
        guard range.count > 8 else { return next }
        var place = range.lowerBound
        if !isINFO {
            guard let kind = text(at: place), ["INFO", "adtl"].contains(kind) else { return nil }
            place += 4
        }
        for _ in 0..<FormatLimits.mostChunks {
            guard place < range.upperBound else { return next }
            guard range.upperBound - place >= 8, let type = text(at: place),
                let length = number(at: place + 4)
            else { return nil }
            switch type {
            // It passes over the rest.
            case "\0\0\0\0": return next
            // It takes this for the sound, though it is in the list.
            case "data": return place
            case "INFO", "adtl", "exif": return nil
            default: break
            }
            guard length <= range.upperBound - place - 8 else { return nil }
            place += 8 + length + length & 1
        }
        return nil
    }

    /// Where libsndfile goes on behind a chunk of a length.
    private func padded(_ end: Int64, _ length: Int64) -> Int64 { end + (isLarge ? 0 : length & 1) }

    /// Where libsndfile goes on behind the sizes of RF64: where a chunk "fmt " follows their table, it is taken even if
    /// the chunk of the sizes is longer.
    private func endOfSizes(_ range: Range<Int64>) -> Int64 {
        let table = range.lowerBound + 24
        // It is shown a table of none then.
        guard range.upperBound != table else { return table }
        guard let tableBytes = number(at: table) else { return range.upperBound }
        let end = table + 4 + tableBytes
        return end + 4 > range.upperBound || text(at: end) == "fmt " ? end : range.upperBound
    }

    private func isPrintable(_ type: String) -> Bool {
        type.unicodeScalars.allSatisfy { 0x20...0x7E ~= $0.value }
    }

    /// True if a chunk is as long as the records of 24 bytes that it counts.
    private func holds(_ length: Int64, header: Int64, countAt offset: Int64, most: Int64 = .max) -> Bool {
        guard length >= header, let count = number(at: offset), count <= most else { return false }
        return header + 24 * count <= length
    }

    private func text(at offset: Int64) -> String? {
        read(offset, 4).map { String(decoding: $0.map { $0 < 0x80 ? $0 : 0x7F }, as: UTF8.self) }
    }

    private func number(at offset: Int64) -> Int64? {
        guard let digits = read(offset, 4) else { return nil }
        return (isBigEndian ? digits : digits.reversed()).reduce(0) { $0 << 8 | Int64($1) }
    }

    private func largeNumber(at offset: Int64) -> Int64? {
        guard let low = number(at: offset), let high = number(at: offset + 4), high <= Int32.max else {
            return nil
        }
        return high << 32 | low
    }

    /// Of a chunk of no known type, at which libsndfile ends.
    private static let leastImpossibleLength: Int64 = 0xFFFF_0000
}
