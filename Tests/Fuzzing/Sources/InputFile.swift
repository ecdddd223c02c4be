// SPDX-License-Identifier: MIT

import Glibc

/// Inputs at a path, without a disk: as a file with replaced contents, and as pipes.
struct InputFile {
    private let descriptor: CInt
    let path: String

    init() {
        var name = Array("/dev/shm/aqfuzz-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { fatalError("cannot make a file in memory: error \(errno)") }
        // Nothing remains, however the process ends.
        unsafe unlink(name)
        path = "/proc/self/fd/\(descriptor)"
    }

    func fill(with input: [UInt8]) {
        let written = unsafe input.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == input.count, ftruncate(descriptor, off_t(input.count)) == 0 else {
            fatalError("cannot fill a file in memory: error \(errno)")
        }
    }

    /// The path of a pipe that contains the input and then ends; not for inputs that exceed a pipe.
    static func withPipe(of input: [UInt8], _ body: (String) -> Void) {
        guard input.count <= 65536 else { return }
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { fatalError("cannot make a pipe: error \(errno)") }
        let written = unsafe input.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        guard written == input.count else { fatalError("cannot fill a pipe: error \(errno)") }
        body("/proc/self/fd/\(ends[0])")
        close(ends[0])
    }
}
