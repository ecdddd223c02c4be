// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport

/// Writing past a file-size limit; for its own process.
enum WriteLimit {
    /// Makes calls, each of which must fail like the first failing one.
    ///
    /// - Returns: The number of calls that succeeded before.
    @discardableResult static func expectFailure(
        _ code: AudioFileError.Code = .fileTooLarge, inCalls calls: Int, _ call: (Int) throws -> Void
    ) throws -> Int {
        var (failures, succeeded): ([AudioFileError], Int) = ([], 0)
        for number in 0..<calls {
            do {
                try call(number)
                if failures.isEmpty { succeeded += 1 }
            } catch let error as AudioFileError {
                failures.append(error)
            }
        }
        expectEqual(failures.first?.code, code)
        #expect(failures.allSatisfy { $0 == failures.first })
        expectEqual(failures.count, calls - succeeded)
        return succeeded
    }

    static func check(
        bytes: Int, packets: [[UInt8]], format: AudioStreamBasicDescription, path: String, type: AudioFileType
    ) throws {
        FileSizeLimit.set(bytes: bytes)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        try expectFailure(inCalls: packets.count / 2) {
            try writer.append(packets: Array(packets[2 * $0..<2 * $0 + 2]))
        }
        try writer.close()
    }
}
