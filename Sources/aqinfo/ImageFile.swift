// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQToolSupport

/// The file of an image.
enum ImageFile {
    /// Writes a new file, or replaces an older image if that is allowed.
    ///
    /// - Parameter source: The input file, which is not overwritten under any name.
    /// - Throws: ``SystemError``; an incomplete new file is removed.
    static func write(
        _ bytes: [UInt8], toPath path: FilePath, overwrites: Bool, source: FileIdentity?
    ) throws(SystemError) {
        let old = FileIdentity(path: path)
        if let source, old == source { throw refusal(path, "it is the input file") }
        // A file is checked before its contents are removed. Other outputs, such as a pipe, are only written.
        let isFile = unsafe old != nil || access(path.cString, F_OK) != 0
        let flags = O_CREAT | O_CLOEXEC | (isFile ? O_RDWR : O_WRONLY) | (overwrites ? 0 : O_EXCL)
        let descriptor = unsafe open(path.cString, flags, 0o666)
        guard descriptor >= 0 else {
            let number = errno
            var error = SystemError("write '\(path)'", number)
            if number == EEXIST { error.message += "; '--overwrite' replaces it" }
            throw error
        }
        var failure: Int32 = 0
        if isFile {
            guard isReplaceable(descriptor) else {
                close(descriptor)
                throw refusal(path, "it is not a PNG image; '--overwrite' replaces only PNG images")
            }
            if ftruncate(descriptor, 0) != 0 { failure = errno }
        }
        if failure == 0 { failure = write(bytes, to: descriptor) }
        // Some file systems report a full disk only at the close.
        let closeFailure = close(descriptor) == 0 ? 0 : errno
        guard failure == 0, closeFailure == 0 else {
            if !overwrites { unsafe _ = unlink(path.cString) }
            throw SystemError("write '\(path)'", failure != 0 ? failure : closeFailure)
        }
    }

    /// Returns whether a regular file is empty, or is a PNG image.
    private static func isReplaceable(_ descriptor: Int32) -> Bool {
        var head = [UInt8](repeating: 0, count: PaletteImage.signature.count)
        let count = unsafe head.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        return count == 0 || head == PaletteImage.signature
    }

    private static func refusal(_ path: FilePath, _ reason: String) -> SystemError {
        var error = SystemError("write '\(path)'", EEXIST)
        error.message = "cannot write '\(path)': \(reason)"
        return error
    }

    /// Writes all bytes; returns 0 or the `errno` of the failure.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { unsafe StandardStream.write($0, to: descriptor) }
    }
}
