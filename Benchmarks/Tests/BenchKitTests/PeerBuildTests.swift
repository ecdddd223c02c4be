// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("What peers are built") struct PeerBuildTests {
    @Test("a peer whose library is not installed is left out, and said to be")
    func absentLibrary() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../peers.mk").standardized.path
        let make = Process()
        make.executableURL = URL(filePath: "/usr/bin/env")
        make.arguments = [
            "make", "-s", "-n", "-f", source, "PEERS_DIR=/nonexistent", "PEERS=absent pacat", "MIXERS=",
            "absent_HEADER=no/such.h", "pacat_HEADER=stdio.h", "peers",
        ]
        let output = Pipe()
        make.standardOutput = output
        make.standardError = FileHandle.nullDevice
        try make.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        make.waitUntilExit()
        #expect(text.contains("left out for want of their libraries: absent\""))
    }
}
