// SPDX-License-Identifier: MIT

/// Libraries for codecs that are loaded when they are first needed.
enum LoadedLibrary {
    /// Returns the functions of a library.
    ///
    /// - Parameters:
    ///   - codec: The codec to name in an error.
    ///   - load: The function that loads the library, and otherwise returns nil and the reason.
    /// - Throws: `unsupported` with the reason, which names the package to install.
    static func functions<Functions>(
        for codec: String, _ load: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> UnsafePointer<Functions>?
    ) throws(AudioFileError) -> Functions {
        var reason: UnsafePointer<CChar>?
        guard let functions = unsafe load(&reason) else {
            throw AudioFileError(.unsupported, "\(codec) needs a library: \(unsafe text(reason))")
        }
        return unsafe functions.pointee
    }

    /// Returns a string of a library, which no library leaves out.
    static func text(_ string: UnsafePointer<CChar>?) -> String {
        unsafe string.map { unsafe String(cString: $0) } ?? ""
    }
}
