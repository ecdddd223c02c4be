// SPDX-License-Identifier: MIT

import Glibc
import AQTestSupport

/// A mounted file system, removed with this object.
final class SmallDisk {
    private let folder = ScratchFolder()

    /// The reason why none can be mounted here, which requires root; nil if one can.
    static let obstacle: String? = {
        do {
            _ = try SmallDisk()
            return nil
        } catch { return "\(error)" }
    }()

    init() throws {
        guard unsafe mount("none", folder.path, "tmpfs", 0, "size=64k") == 0 else {
            throw CannotMount(reason: unsafe String(cString: strerror(errno)))
        }
    }

    deinit { unsafe umount2(folder.path, 2 /* MNT_DETACH: at once, and in the end */) }

    func file(_ name: String) -> String { folder.file(name) }
}

private struct CannotMount: Error, CustomStringConvertible {
    let reason: String

    var description: String { "cannot mount a file system: \(reason)" }
}
