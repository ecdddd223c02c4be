import AudioFiles
import CoreAudioTypes
import Glibc
import Testing

/// Holds the readers against a folder of real files with a manifest of the truth about them.
///
/// Enabled by `AQ_CORPUS_DIR`, a folder with `MANIFEST.tsv`: columns named in its first line, of which are used
/// `file`, `container`, `channels`, `rate`, `frames`, `sndfile_frames` and `mpg123_frames`.
@Suite("Corpus", .enabled(if: Corpus.folder != nil))
struct CorpusTests {
    @Test(
        "opens every well-formed file of packets with the manifest's frames", arguments: Corpus.wellFormed)
    func wellFormed(row: Corpus.Row) throws {
        let file = try AudioFile.open(path: row.path)
        #expect(file.format.mSampleRate == row.rate)
        #expect(file.format.mChannelsPerFrame == row.channels)
        #expect(file.channelLabels.count == Int(file.format.mChannelsPerFrame))
        #expect(file.frameCount == row.frames)
        #expect(try file.countFrames() == row.frames)
        let contents = try Contents(of: file, roomBytes: room(for: file))
        #expect(Int64(contents.packets) == (try file.countPackets()))
        let packetBytes = Int(file.format.mBytesPerPacket)
        #expect(packetBytes == 0 || contents.bytes.count == contents.packets * packetBytes)
    }

    @Test("refuses every malformed file or warns of it", arguments: Corpus.malformed)
    func malformed(row: Corpus.Row) throws {
        do {
            let file = try AudioFile.open(path: row.path)
            let contents = try Contents(of: file, roomBytes: room(for: file))
            // A file whose tag alone is wrong is read to its last frame.
            #expect(!file.warnings.isEmpty || Int64(contents.packets) == row.frames)
        } catch let error as AudioFileError {
            #expect(error.message.hasPrefix("cannot open '"))
        }
    }

    @Test("opens or refuses everything else", arguments: Corpus.others)
    func others(row: Corpus.Row) throws {
        guard let file = try? AudioFile.open(path: row.path) else { return }
        #expect(try Contents(of: file, roomBytes: room(for: file)).packets > 0)
    }

    private func room(for file: AudioFile) -> Int { max(file.packetSizeUpperBound + 7, 4096) }
}

/// The rows of the manifest.
enum Corpus {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var rate: Double
        var channels: UInt32
        var frames: Int64?

        var path: String { (Corpus.folder ?? "") + "/" + name }
        var testDescription: String { name }
    }

    static let folder: String? = unsafe getenv("AQ_CORPUS_DIR").map { unsafe String(cString: $0) }

    static let wellFormed = rows.filter { row in
        ["wav/", "aiff/", "caf/", "mp3/"].contains { row.name.hasPrefix($0) } && isReadHere(row)
    }
    static let malformed = rows.filter { $0.name.hasPrefix("malformed/") }
    static let others = rows.filter { row in
        !["wav/", "aiff/", "caf/", "mp3/", "malformed/"].contains { row.name.hasPrefix($0) }
    }

    /// One row is a file of bare samples.
    private static func isReadHere(_ row: Row) -> Bool { row.frames != nil }

    private static let rows: [Row] = {
        guard let folder, let text = read(folder + "/MANIFEST.tsv") else { return [] }
        let lines = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        guard let names = lines.first else { return [] }
        return lines.dropFirst().map { line in
            func column(_ name: String) -> String {
                guard let place = names.firstIndex(of: Substring(name)), place < line.count else { return "" }
                return String(line[place])
            }
            // Where decoders dispute the length, these readers follow the library they are built on.
            let frames =
                Int64(column("mpg123_frames")) ?? Int64(column("sndfile_frames")) ?? Int64(column("frames"))
            return Row(
                name: column("file"), rate: Double(column("rate")) ?? 0,
                channels: UInt32(column("channels")) ?? 0, frames: frames)
        }
    }()

    private static func read(_ path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while true {
            let got = unsafe block.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            guard got > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += block.prefix(got)
        }
    }
}
