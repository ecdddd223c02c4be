// SPDX-License-Identifier: MIT

import CAQSndFile
import Glibc

/// The owner of one libsndfile handle.
@safe struct SndFileHandle: ~Copyable {
    let pointer: OpaquePointer
    let info: SF_INFO

    /// Opens the file of a descriptor, which remains the caller's.
    ///
    /// QUIRK: libsndfile 1.2 closes the descriptor of a file it does not recognise, whatever its arguments; so it gets
    /// a duplicate.
    ///
    /// - Parameter mayWait: Whether the descriptor is a pipe.
    ///
    /// The corresponding C function is `sf_open_fd`.
    init(descriptor: CInt, mayWait: Bool) throws(AudioFileError) {
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else { throw OpenFile.failure(errno) }
        var info = SF_INFO()
        unsafe pointer = try SndFileOpening.open(
            mayWait: mayWait, { unsafe sf_open_fd(own, CInt(SFM_READ), &info, CInt(SF_TRUE)) },
            failure: Self.openFailure)
        self.info = info
    }

    /// Opens a file whose header is corrected while it is read; the file must outlive the handle.
    ///
    /// The corresponding C function is `sf_open_virtual`.
    init(virtualFile file: VirtualFile) throws(AudioFileError) {
        var info = SF_INFO()
        var calls = VirtualFile.calls
        let context = unsafe Unmanaged.passUnretained(file).toOpaque()
        unsafe pointer = try SndFileOpening.open(
            { unsafe sf_open_virtual(&calls, CInt(SFM_READ), &info, context) }, failure: Self.openFailure)
        self.info = info
    }

    deinit { unsafe _ = sf_close(pointer) }

    /// The last error of this handle; nil if there is none.
    var failure: String? {
        guard unsafe sf_error(pointer) != CInt(SF_ERR_NO_ERROR), let text = unsafe sf_strerror(pointer) else {
            return nil
        }
        return SndFileFailure.readMessage(unsafe Self.sentence(String(cString: text)))
    }

    /// A string of the file's metadata.
    ///
    /// The corresponding C function is `sf_get_string`.
    func text(_ field: Int) -> String? {
        guard let text = unsafe sf_get_string(pointer, CInt(field)) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
        return unsafe TagText.clean(TagText.decode(bytes))
    }

    private static func openFailure(_ number: CInt, _ reason: String) -> AudioFileError {
        switch number {
        case CInt(SF_ERR_UNRECOGNISED_FORMAT):
            AudioFileError(.unrecognised, "it is not an audio file of a known type")
        case CInt(SF_ERR_UNSUPPORTED_ENCODING): AudioFileError(.unsupported, reason)
        case CInt(SF_ERR_SYSTEM): AudioFileError(.unreadable, reason)
        default: AudioFileError(.damaged, reason)
        }
    }

    /// The library's message in this project's style: no capital, no full stop.
    static func sentence(_ text: String) -> String {
        var words = text.prefix { !$0.isNewline }
        for prefix in ["Error : ", "Error: "] where words.hasPrefix(prefix) {
            words = words.dropFirst(prefix.count)
        }
        // The decoder's name, as everywhere.
        if words.hasPrefix("flac ") { return sentence("the FLAC \(words.dropFirst(5))") }
        while words.last == "." || words.last == " " { words.removeLast() }
        // Capitalised names are kept.
        guard words.dropFirst().first?.isUppercase != true else { return String(words) }
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
