public import AudioFiles

/// Names of what lies in a network, which no tool opens.
public enum NetworkAddress {
    private static let schemes = ["http://", "https://", "ftp://", "ftps://", "sftp://", "rtsp://", "icy://"]

    /// Why `operand` cannot be opened, and what to do; nil if it is no address.
    ///
    /// - Parameter command: The tool with what makes it read standard input.
    public static func refusal(of operand: FilePath, command: String) -> String? {
        let address = operand.description
        let isAddress = schemes.contains { scheme in
            address.utf8.count > scheme.utf8.count && address.prefix(scheme.count).lowercased() == scheme
        }
        guard isAddress else { return nil }
        return "cannot open '\(address)': network addresses are not opened; write: "
            + "curl -L '\(address)' | \(command)"
    }
}
