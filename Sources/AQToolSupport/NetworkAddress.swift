// SPDX-License-Identifier: MIT

public import AQFiles

/// Network addresses that no tool opens.
public enum NetworkAddress {
    private static let schemes = ["ftp://", "ftps://", "sftp://", "rtsp://", "rtmp://", "mms://", "icy://"]

    private static let webSchemes = ["http:", "https:"]

    /// The reason why `operand`, which is neither a file nor a valid web address, cannot be opened; nil if it does not
    /// look like an address.
    ///
    /// - Parameter command: The tool and the operand with which it reads standard input.
    public static func refusal(of operand: FilePath, command: String) -> String? {
        let address = operand.description
        if webSchemes.contains(where: { address.lowercased().hasPrefix($0) }) {
            return "cannot open '\(address)': it is not a valid address"
        }
        let isAddress = schemes.contains { scheme in
            address.utf8.count > scheme.utf8.count && address.prefix(scheme.count).lowercased() == scheme
        }
        guard isAddress else { return nil }
        return
            "cannot open '\(address)': only addresses with http: and https: are opened; if another program can "
            + "read it, write: PROGRAM '\(address)' | \(command)"
    }
}
