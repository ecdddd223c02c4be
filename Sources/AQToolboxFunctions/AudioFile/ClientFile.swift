// SPDX-License-Identifier: MIT

import AQFiles
public import CAQAudioToolbox
import CoreAudioTypes
import Glibc

/// The procedures of `AudioFileOpenWithCallbacks` and `AudioFileInitializeWithCallbacks`.
///
/// COMPAT: the published types take client data that is not NULL, but C programs that keep their file in a
/// global pass NULL, and receive it.
public enum AudioFileProcedures {
    /// The C type `AudioFile_ReadProc`.
    public typealias Read =
        @convention(c) (
            UnsafeMutableRawPointer?, Int64, UInt32, UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt32>?
        ) -> OSStatus
    /// The C type `AudioFile_WriteProc`.
    public typealias Write =
        @convention(c) (
            UnsafeMutableRawPointer?, Int64, UInt32, UnsafeRawPointer?, UnsafeMutablePointer<UInt32>?
        ) -> OSStatus
    /// The C type `AudioFile_GetSizeProc`, which returns bytes.
    public typealias GetSize = @convention(c) (UnsafeMutableRawPointer?) -> Int64
    /// The C type `AudioFile_SetSizeProc`, which takes bytes.
    public typealias SetSize = @convention(c) (UnsafeMutableRawPointer?, Int64) -> OSStatus
}

/// A file that a client keeps, and that is read and written through procedures.
///
/// The engine works on files of the system, so an unnamed file replaces the client's. It is filled from the
/// client's file on opening, and is written to the client's file when closed or optimized. The procedures are
/// called on the thread that calls these functions, and must not call functions for the same file.
@safe final class ClientFile {
    // SAFETY: the client guarantees its data and procedures until the file is closed.
    private let clientData: UnsafeMutableRawPointer?
    private let readProcedure: AudioFileProcedures.Read
    private let writeProcedure: AudioFileProcedures.Write?
    private let getSizeProcedure: AudioFileProcedures.GetSize
    private let setSizeProcedure: AudioFileProcedures.SetSize?
    private let standIn: UnnamedFile

    /// - Throws: `kAudioFileUnspecifiedError` if there is no space for a temporary file.
    init(
        _ clientData: UnsafeMutableRawPointer?, read: AudioFileProcedures.Read,
        write: AudioFileProcedures.Write?, getSize: AudioFileProcedures.GetSize,
        setSize: AudioFileProcedures.SetSize?
    ) throws(StatusError) {
        unsafe self.clientData = clientData
        unsafe readProcedure = read
        unsafe writeProcedure = write
        unsafe getSizeProcedure = getSize
        unsafe setSizeProcedure = setSize
        standIn = try UnnamedFile()
    }

    var path: FilePath { standIn.path }

    /// Whether the client passed the procedures for writing.
    var isWritable: Bool { unsafe writeProcedure != nil && setSizeProcedure != nil }

    /// Copies the client's whole file.
    ///
    /// - Parameter limit: The number of bytes after which the call fails, as on a full disk: a client may report
    ///   any size, and may never end. Nil leaves an eighth of the free space to other programs.
    /// - Throws: The result of the client's procedure if it fails, `kAudioFileInvalidFileError` if it reports
    ///   more bytes than requested, `kAudioFileUnspecifiedError` beyond the limit.
    func readAll(atMost limit: Int64? = nil) throws(StatusError) {
        let total = unsafe getSizeProcedure(clientData)
        guard total >= 0 else { throw StatusError(kAudioFileUnspecifiedError) }
        let freeBytes = standIn.freeBytes
        let limit = limit ?? freeBytes - freeBytes / 8
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        var position: Int64 = 0
        while position < total {
            let wanted = UInt32(min(total - position, Int64(block.count)))
            var got: UInt32 = 0
            let status = unsafe block.withUnsafeMutableBytes { memory in
                unsafe readProcedure(clientData, position, wanted, memory.baseAddress, &got)
            }
            guard got <= wanted else { throw StatusError(kAudioFileInvalidFileError) }
            // The last bytes may be returned together with the end.
            guard status == noErr || status == kAudioFileEndOfFileError else { throw StatusError(status) }
            guard Int64(got) <= limit - position else { throw StatusError(kAudioFileUnspecifiedError) }
            try standIn.append(block[..<Int(got)])
            position += Int64(got)
            // The size may have been an estimate.
            if got == 0 || status != noErr { break }
        }
    }

    /// Empties the client's file.
    ///
    /// - Throws: The result of the client's procedure if it fails.
    func clear() throws(StatusError) { try resize(to: 0) }

    /// Replaces the contents of the client's file.
    ///
    /// - Throws: The result of the client's procedure if it fails; `kAudioFilePermissionsError` without a
    ///   procedure that writes.
    func replaceContents(with bytes: FileBytes) throws(StatusError) {
        guard let write = unsafe writeProcedure else { throw StatusError(kAudioFilePermissionsError) }
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        var position: Int64 = 0
        while true {
            let count = try unsafe block.withUnsafeMutableBufferPointer { memory throws(StatusError) in
                try unsafe bytes.read(at: position, into: UnsafeMutableRawBufferPointer(memory))
            }
            if count == 0 { break }
            var done = 0
            while done < count {
                var written: UInt32 = 0
                let status = unsafe block.withUnsafeBytes { memory in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[done..<count])
                    return unsafe write(
                        clientData, position + Int64(done), UInt32(rest.count), rest.baseAddress, &written)
                }
                guard status == noErr else { throw StatusError(status) }
                guard written > 0, Int(written) <= count - done else {
                    throw StatusError(kAudioFileUnspecifiedError)
                }
                done += Int(written)
            }
            position += Int64(count)
        }
        try resize(to: position)
    }

    private func resize(to bytes: Int64) throws(StatusError) {
        guard let setSize = unsafe setSizeProcedure else { throw StatusError(kAudioFilePermissionsError) }
        let status = unsafe setSize(clientData, bytes)
        guard status == noErr else { throw StatusError(status) }
    }

    private static let blockBytes = 64 << 10
}

/// A temporary file without a name, in the folder `TMPDIR`, or else in `/tmp` or `/var/tmp`.
final class UnnamedFile {
    private let descriptor: CInt

    /// - Throws: `kAudioFileUnspecifiedError` if the file cannot be created in any folder.
    init() throws(StatusError) {
        let chosen = unsafe getenv("TMPDIR").map { unsafe FilePath(cString: $0) } ?? ""
        let folders = (chosen.bytes.isEmpty ? [] : [chosen]) + ["/tmp", "/var/tmp"]
        var opened: CInt = -1
        for folder in folders where opened < 0 {
            var template = FilePath(bytes: folder.bytes + "/audio-XXXXXX".utf8).cString
            opened = unsafe mkstemp(&template)
            guard opened >= 0 else { continue }
            unsafe unlink(template)
            _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
        }
        guard opened >= 0 else { throw StatusError(kAudioFileUnspecifiedError) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// The path by which this process can open the file again.
    var path: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

    /// The free space of the file's disk in bytes, for users without special rights.
    var freeBytes: Int64 {
        var disk = statvfs()
        guard unsafe fstatvfs(descriptor, &disk) == 0 else { return .max }
        let (bytes, overflow) = Int64(clamping: disk.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: disk.f_frsize))
        return overflow ? .max : bytes
    }

    /// Appends bytes.
    ///
    /// - Throws: `kAudioFileUnspecifiedError` if the system fails, for example if the disk is full.
    func append(_ bytes: ArraySlice<UInt8>) throws(StatusError) {
        var rest = bytes
        while !rest.isEmpty {
            let put = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw StatusError(kAudioFileUnspecifiedError) }
            rest = rest.dropFirst(put)
        }
    }
}
