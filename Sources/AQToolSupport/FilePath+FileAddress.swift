// SPDX-License-Identifier: MIT

public import AQFiles

/// Addresses of files, such as those that file managers paste.
extension FilePath {
    private static let fileScheme = "file:"

    /// The path of an operand: that of a `file:` address with percent escapes, or else the operand itself.
    ///
    /// - Throws: ``UsageError`` if the address is not that of a file of this machine.
    public static func ofOperand(_ operand: FilePath) throws(UsageError) -> FilePath {
        // A name may begin with the letters, too; an address has a slash.
        let start = operand.bytes.prefix(fileScheme.utf8.count + 1)
        guard FilePath(bytes: start).description.lowercased() == fileScheme + "/" else { return operand }
        do throws(UsageError) { return try ofFileAddress(operand) } catch {
            throw UsageError("cannot open '\(operand)': \(error.message)")
        }
    }

    /// The path of a `file:` address, with percent escapes.
    ///
    /// - Throws: ``UsageError`` with the reason if it is not that of a file of this machine.
    public static func ofFileAddress(_ address: FilePath) throws(UsageError) -> FilePath {
        var path = address.bytes.dropFirst(fileScheme.utf8.count)
        if path.starts(with: "//".utf8) {
            path = path.dropFirst(2)
            let host = FilePath(bytes: path.prefix { $0 != UInt8(ascii: "/") })
            guard host == "" || host.description.lowercased() == "localhost" else {
                throw UsageError("it is a file on another host, '\(host)'")
            }
            path = path.dropFirst(host.bytes.count)
        }
        guard let decoded = percentDecoded(path), !decoded.isEmpty else {
            throw UsageError("its URL has no valid path")
        }
        return FilePath(bytes: decoded)
    }

    /// Returns the decoded bytes; nil if they contain a zero byte, which a path cannot contain.
    public static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(hexDigit)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : bytes
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
