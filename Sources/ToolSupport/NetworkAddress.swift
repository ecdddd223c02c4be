/// Names of what lies in a network, which no tool opens.
public enum NetworkAddress {
    private static let schemes = ["http://", "https://", "ftp://", "ftps://", "sftp://", "rtsp://", "icy://"]

    /// Why `operand` cannot be opened, and what to do; nil if it is no address.
    ///
    /// - Parameter command: The tool with what makes it read standard input.
    public static func refusal(of operand: String, command: String) -> String? {
        let isAddress = schemes.contains { scheme in
            operand.utf8.count > scheme.utf8.count && operand.prefix(scheme.count).lowercased() == scheme
        }
        guard isAddress else { return nil }
        return "cannot open '\(operand)': network addresses are not opened; write: "
            + "curl -L '\(operand)' | \(command)"
    }
}
