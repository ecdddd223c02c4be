// SPDX-License-Identifier: MIT

import AudioToolbox
import Foundation
import Glibc

/// A copy of data as a file without a name, because the readers of the engine read files.
final class TemporaryCopy: Sendable {
    private let descriptor: CInt

    /// - Throws: `kAudioFileUnspecifiedError` if the file cannot be created, or there is no space for it.
    init(_ data: Data) throws {
        let folder = FileManager.default.temporaryDirectory.path
        var name = Array("\(folder)/audio-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else {
            throw AVAudioFailure.error(
                kAudioFileUnspecifiedError, "cannot create a temporary file in '\(folder)'")
        }
        unsafe unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
        } catch {
            throw AVAudioFailure.error(
                kAudioFileUnspecifiedError,
                "cannot write a temporary file in '\(folder)': \(error.localizedDescription)")
        }
    }

    deinit { Glibc.close(descriptor) }

    /// The name by which this process can open the file again.
    var url: URL { URL(fileURLWithPath: "/proc/self/fd/\(descriptor)", isDirectory: false) }
}
