// SPDX-License-Identifier: MIT

import Testing

@testable import AQFiles

/// Compares whole files, without computing the difference.
func expectFile(
    _ path: String, holds expected: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) {
    let isSame = bytes(ofFile: path) == expected
    #expect(isSame, sourceLocation: sourceLocation)
}

/// Compares all audio of a file likewise.
func expectSound(
    of file: AudioFile, is expected: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) {
    let found = try? Contents(of: file).bytes
    let isSame = found == expected
    #expect(isSame, sourceLocation: sourceLocation)
}
