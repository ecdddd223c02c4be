// SPDX-License-Identifier: MIT

/// A folder for the files of a test, removed with its contents.
public final class ScratchFolder: Sendable {
    public let path: String

    public init() {
        do {
            path = try SystemFile.makeTemporaryFolder(prefix: "test")
        } catch {
            fatalError("\(error)")
        }
    }

    deinit { SystemFile.remove(Array(path.utf8CString)) }

    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Its file names, in order.
    public var names: [String] {
        SystemFile.names(inFolder: Array(path.utf8CString)).map { name in
            String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        .sorted()
    }

    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        try SystemFile.write(bytes, toPath: file(name))
        return file(name)
    }

    /// The contents of a file; empty if it cannot be read.
    public func bytes(of name: String) -> [UInt8] { SystemFile.contents(ofPath: file(name)) }
}
