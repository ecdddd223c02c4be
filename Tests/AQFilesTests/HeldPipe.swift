// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import Glibc
import Testing

/// A pipe that stays open while a test decides what arrives. Pieces must fit the pipe, 64 KB.
final class HeldPipe {
    private var ends: [CInt] = [-1, -1]

    init() throws {
        try #require(unsafe pipe(&ends) == 0)
        signal(SIGPIPE, SIG_IGN)
    }

    deinit { for end in ends where end >= 0 { close(end) } }

    func write(_ bytes: some Collection<UInt8>) throws {
        let written = unsafe Array(bytes).withUnsafeBytes {
            unsafe Glibc.write(ends[1], $0.baseAddress, $0.count)
        }
        try #require(written == bytes.count)
    }

    /// Ends the pipe.
    func end() {
        close(ends[1])
        ends[1] = -1
    }

    func open() throws -> AudioFile {
        try AudioFile.open(path: "/dev/fd/\(ends[0])")
    }
}

/// One read of frames from `packet` on.
func readFrames(_ file: AudioFile, from packet: Int64, most frames: Int) throws -> [UInt8] {
    let frameBytes = Int(file.format.mBytesPerFrame)
    var room = [UInt64](repeating: 0, count: frames * frameBytes / 8 + 1)
    return try unsafe room.withUnsafeMutableBytes { room in
        let memory = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<(frames * frameBytes)])
        let read = try unsafe file.readPackets(
            from: packet, into: memory, descriptions: .init(start: nil, count: 0))
        return unsafe Array(memory[..<read.bytes])
    }
}
