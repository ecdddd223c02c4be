// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A private temporary file with the picture of the audible track.
///
/// Panels receive its URL. GNOME's reads pictures through GIO, which has no `data:` URLs.
final class ArtworkFile: Sendable {
    private struct State {
        /// The folder, which only this user can enter; nil before the first picture.
        var folder: String?
        var path: String?
        var count = 0
        var isRemoved = false
    }

    private static let extensions = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp",
    ]

    private let template: String
    private let state = Mutex(State())

    /// - Parameters:
    ///   - parent: The folder in which a folder is made for the file.
    ///   - program: The beginning of that folder's name.
    init(in parent: String, program: String) { template = "\(parent)/\(program)-XXXXXX" }

    /// The folder for temporary files that end with the session, or that of temporary files.
    static var defaultParent: String {
        for name in ["XDG_RUNTIME_DIR", "TMPDIR"] {
            if let folder = SessionBus.variable(name), folder.hasPrefix("/") { return folder }
        }
        return "/tmp"
    }

    /// Replaces the file by one with another name, because panels cache pictures by their URL.
    ///
    /// - Returns: The URL; nil without a picture, if its type is unknown, or if it cannot be written.
    func replace(by artwork: MediaArtwork?) -> String? {
        state.withLock { state in
            removeFile(&state)
            guard !state.isRemoved, let artwork, let ending = Self.extensions[artwork.mimeType],
                let folder = makeFolder(&state)
            else { return nil }
            state.count += 1
            let path = "\(folder)/cover-\(state.count).\(ending)"
            state.path = path
            guard Self.write(artwork.bytes, to: path) else {
                removeFile(&state)
                return nil
            }
            return PercentEncoding.fileURL(path.utf8)
        }
    }

    /// Removes the file and its folder. No further file is written.
    func remove() {
        state.withLock { state in
            removeFile(&state)
            if let folder = state.folder { unsafe _ = rmdir(folder) }
            (state.folder, state.isRemoved) = (nil, true)
        }
    }

    private func removeFile(_ state: inout State) {
        if let path = state.path { unsafe _ = unlink(path) }
        state.path = nil
    }

    private func makeFolder(_ state: inout State) -> String? {
        if let folder = state.folder { return folder }
        var template = Array(template.utf8CString)
        // SAFETY: mkdtemp changes the last six characters.
        guard unsafe mkdtemp(&template) != nil else { return nil }
        state.folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return state.folder
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return false }
            written += result
        }
        return true
    }
}
