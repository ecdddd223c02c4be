// SPDX-License-Identifier: MIT

import CAQMpg123

/// The owner of one libmpg123 handle.
///
/// The corresponding C functions are `mpg123_new` and `mpg123_delete`.
@safe struct MPEGHandle: ~Copyable {
    let pointer: OpaquePointer

    /// Makes a handle with the fastest decoder of this processor.
    init() throws(MPEGAudioError) {
        var status: Int32 = 0
        guard Self.libraryStatus == MPEG123.ok, let made = unsafe mpg123_new(nil, &status) else {
            throw MPEGAudioError(
                .libraryFailed,
                "cannot make an MPEG audio handle: \(Self.text(of: status)) (libmpg123 \(status))")
        }
        unsafe pointer = made
    }

    deinit { unsafe mpg123_delete(pointer) }

    /// Sets one integer parameter. The parameters that this module sets fail only if memory is insufficient.
    func set(_ parameter: mpg123_parms, _ value: Int) throws(MPEGAudioError) {
        let status = unsafe mpg123_param2(pointer, Int32(parameter.rawValue), value, 0)
        guard status == MPEG123.ok else {
            throw MPEGAudioError(
                .libraryFailed,
                "cannot set up an MPEG audio handle: \(Self.text(of: status)) (libmpg123 \(status))")
        }
    }

    /// Makes an error from the library's last status on this handle.
    func failure(_ attempted: String) -> MPEGAudioError {
        let status = unsafe mpg123_errcode(pointer)
        return MPEGAudioError(.libraryFailed, "\(attempted): \(Self.text(of: status)) (libmpg123 \(status))")
    }

    /// The library's description of a status.
    static func text(of status: Int32) -> String {
        guard let text = unsafe mpg123_plain_strerror(status) else { return "unknown error" }
        return unsafe String(cString: text)
    }

    /// The status of the library's initialisation, which versions before 1.27 require before the first use.
    private static let libraryStatus = mpg123_init()
}

/// The library's statuses and flags in the types of its functions: C's enumerations import as structures.
enum MPEG123 {
    static let ok = Int32(MPG123_OK.rawValue)
    static let newFormat = Int32(MPG123_NEW_FORMAT.rawValue)

    static func flags(_ flags: mpg123_param_flags...) -> Int {
        flags.reduce(0) { $0 | Int($1.rawValue) }
    }
}
