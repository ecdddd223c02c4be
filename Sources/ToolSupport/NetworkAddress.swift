// SPDX-License-Identifier: MIT

public import AudioFiles

/// Network addresses of kinds that no tool opens.
public enum NetworkAddress {
    private static let schemes = ["ftp://", "ftps://", "sftp://", "rtsp://", "rtmp://", "mms://", "icy://"]

    /// The reason why `operand` cannot be opened, with an alternative; nil if it is not such an address.
    ///
    /// - Parameter command: The tool and the operand with which it reads standard input.
    public static func refusal(of operand: FilePath, command: String) -> String? {
        let address = operand.description
        let isAddress = schemes.contains { scheme in
            address.utf8.count > scheme.utf8.count && address.prefix(scheme.count).lowercased() == scheme
        }
        guard isAddress else { return nil }
        return
            "cannot open '\(address)': only addresses with http: and https: are opened; if another program can "
            + "read it, write: PROGRAM '\(address)' | \(command)"
    }
}
