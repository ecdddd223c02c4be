// SPDX-License-Identifier: MIT

import Glibc

/// File functions for tests, without Foundation, so that a demo builds and starts quickly.
package enum SystemFile {
    package static var lastError: String { unsafe String(cString: strerror(errno)) }

    /// The folder of temporary files.
    package static var temporaryFolder: String { Environment.value("TMPDIR") ?? "/tmp" }

    package static func makeTemporaryFolder(prefix: String) throws -> String {
        var template = Array("\(temporaryFolder)/\(prefix)-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw HarnessError("cannot make a folder in \(temporaryFolder): \(lastError)")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A file without a name, for the output of a child process.
    package static func makeScratch() throws -> OwnedDescriptor {
        var template = Array("\(temporaryFolder)/soundharness-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw HarnessError("cannot make a file in \(temporaryFolder): \(lastError)")
        }
        unsafe unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return OwnedDescriptor(descriptor)
    }

    /// A file that discards writes.
    package static func openNull() throws -> OwnedDescriptor {
        let descriptor = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw HarnessError("cannot open /dev/null: \(lastError)") }
        return OwnedDescriptor(descriptor)
    }

    /// The whole contents of a file, whatever its offset is.
    package static func contents(of descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe block.withUnsafeMutableBytes { block in
                unsafe pread(descriptor, block.baseAddress, block.count, bytes.count)
            }
            if count <= 0 { return bytes }
            bytes.append(contentsOf: block[..<count])
        }
    }

    /// The size of a file; 0 if there is none.
    package static func byteCount(ofPath path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The whole contents of a file; empty if it cannot be read.
    package static func contents(ofPath path: String) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        let file = OwnedDescriptor(descriptor)
        return withExtendedLifetime(file) { contents(of: file.number) }
    }

    package static func write(_ bytes: [UInt8], toPath path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw HarnessError("cannot write \(path): \(lastError)") }
        let file = OwnedDescriptor(descriptor)
        guard unsafe bytes.withUnsafeBytes({ unsafe writeAll($0, to: file.number) }) else {
            throw HarnessError("cannot write \(path): \(lastError)")
        }
    }

    package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = unsafe Glibc.write(
                descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            written += count
        }
        return true
    }

    package static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    /// Makes a folder, unless it is there.
    package static func makeFolder(_ path: String) throws {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw HarnessError("cannot make \(path): \(lastError)")
        }
    }

    /// The names in a folder, as any bytes.
    static func names(inFolder path: [CChar]) -> [[CChar]] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [[CChar]] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
                unsafe field.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
            }
            if name != [46], name != [46, 46] { names.append(name) }
        }
        return names
    }

    /// Removes a file, or a folder with its contents; follows no link.
    static func remove(_ path: [CChar]) {
        if unsafe unlink(path) == 0 { return }
        for name in names(inFolder: path) { remove(path.dropLast() + [47] + name + [0]) }
        unsafe _ = rmdir(path)
    }

    /// Whether a socket accepts connections.
    package static func isAccepting(socketPath: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return false }
        let connection = OwnedDescriptor(descriptor)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            unsafe path.copyBytes(from: socketPath.utf8.prefix(path.count - 1))
        }
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(connection.number, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        } == 0
    }
}
