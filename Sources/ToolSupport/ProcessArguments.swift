import CProcessArguments

/// What a tool was called with.
public enum ProcessArguments {
    /// The arguments after the tool's name. What is no UTF-8 is repaired, as by `CommandLine.arguments`.
    ///
    /// Sees to standard input, output and error, too: see ``StandardStream/holdPlaces()``.
    public static func afterName() -> [String] {
        StandardStream.holdPlaces()
        var count: Int32 = 0
        // SAFETY: the function fills a local; the arguments live as long as the process.
        let all = unsafe aq_process_arguments(&count)
        guard let all = unsafe all else { return [] }
        var arguments: [String] = []
        for index in stride(from: 1, to: Int(count), by: 1) {
            guard let argument = unsafe all[index] else { break }
            unsafe arguments.append(String(cString: argument))
        }
        return arguments
    }
}
