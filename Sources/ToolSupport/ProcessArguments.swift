import Glibc

/// What a tool was called with.
public enum ProcessArguments {
    /// The arguments after the tool's name.
    ///
    /// Asks the kernel for them. `CommandLine.arguments` looks for them in the list of all that is mapped into
    /// the process, which takes a tenth of a millisecond: a recorder has better things to do at its start.
    public static func afterName() -> [String] {
        arguments(inFile: "/proc/self/cmdline") ?? Array(CommandLine.arguments.dropFirst())
    }

    /// Those in a file of strings that end in zero; nil when there is none.
    static func arguments(inFile path: String) -> [String]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd {
            let filled = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: max(filled, 4096)))
            let room = bytes.count - filled
            // SAFETY: the kernel fills at most the room behind what is there.
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                let place = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return unsafe read(descriptor, place.baseAddress, room)
            }
            guard count >= 0 else { return nil }
            bytes.removeLast(room - count)
            isAtEnd = count == 0
        }
        guard bytes.last == 0 else { return nil }
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
