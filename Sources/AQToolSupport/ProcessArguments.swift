// SPDX-License-Identifier: MIT

public import AQFiles
import CAQProcessArguments

/// The arguments of a tool.
public enum ProcessArguments {
    /// The arguments after the tool's name, byte for byte, because most of them are paths.
    ///
    /// Also reserves standard input, output and error: see ``StandardStream/reserveDescriptors()``.
    public static func afterName() -> [FilePath] {
        StandardStream.reserveDescriptors()
        var count: Int32 = 0
        // SAFETY: the function fills a local; the arguments live as long as the process.
        let all = unsafe aq_process_arguments(&count)
        guard let all = unsafe all else { return [] }
        var arguments: [FilePath] = []
        for index in stride(from: 1, to: Int(count), by: 1) {
            guard let argument = unsafe all[index] else { break }
            unsafe arguments.append(FilePath(cString: argument))
        }
        return arguments
    }
}
