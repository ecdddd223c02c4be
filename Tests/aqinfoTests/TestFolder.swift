import Glibc
import ToolSupport

/// A folder that goes with the test.
final class TestFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/aqinfo-test-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else { throw SystemError("make a folder", errno) }
        path = unsafe String(cString: made)
    }

    deinit {
        for name in names { unsafe _ = unlink(self[name]) }
        unsafe _ = rmdir(path)
    }

    subscript(name: String) -> String { "\(path)/\(name)" }

    /// What is in it, in order.
    var names: [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Writes a file.
    ///
    /// - Returns: Its path.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let descriptor = unsafe open(self[name], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw SystemError("write '\(name)'", errno) }
        defer { close(descriptor) }
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        return self[name]
    }

    func bytes(of name: String) -> [UInt8] {
        let descriptor = unsafe open(self[name], O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 22)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return Array(bytes.prefix(max(count, 0)))
    }
}

/// Small sound files.
enum SoundBytes {
    /// A WAVE file of 16-bit samples.
    ///
    /// - Parameters:
    ///   - more: Chunks behind the sound: a type and contents.
    ///   - promisedBytes: What the header says of the sound's length; nil is the truth.
    static func wave(
        _ samples: [Int16], channels: Int = 1, sampleRate: Int = 8000, more: [(String, [UInt8])] = [],
        promisedBytes: Int? = nil
    ) -> [UInt8] {
        let format =
            little(1, 2) + little(channels, 2) + little(sampleRate, 4)
            + little(sampleRate * channels * 2, 4) + little(channels * 2, 2) + little(16, 2)
        let sound = samples.flatMap { little(Int($0), 2) }
        var chunks = chunk("fmt ", format)
        chunks += Array("data".utf8) + little(promisedBytes ?? sound.count, 4) + sound
        for (type, contents) in more { chunks += chunk(type, contents) }
        return Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WAVE".utf8) + chunks
    }

    static func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(contents.count, 4) + contents
            + [UInt8](repeating: 0, count: contents.count % 2)
    }

    static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The project's own sound files.
    static func fixture(_ name: String, file: String = #filePath) -> String {
        file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
            + "/Fixtures/" + name
    }
}
