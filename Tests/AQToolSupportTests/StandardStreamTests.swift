// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import AQToolSupport

@Suite("Standard input, output and error")
struct StandardStreamTests {
    @Test("no other file gets the descriptors of standard streams that a tool was started without")
    func places() async {
        await #expect(processExitsWith: .success) {
            for descriptor in Int32(0)...2 { close(descriptor) }
            _ = ProcessArguments.afterName()
            let pipe = try EventPipe()
            var byte: UInt8 = 0
            let isRead = unsafe read(0, &byte, 1) >= 0
            let isWritten = unsafe write(1, &byte, 1) >= 0 || write(2, &byte, 1) >= 0
            exit(pipe.readDescriptor > 2 && pipe.writeDescriptor > 2 && !isRead && !isWritten ? 0 : 1)
        }
    }

    @Test("help that cannot be written is a failure of writing")
    func help() async {
        await #expect(processExitsWith: .exitCode(74)) {
            let full = unsafe open("/dev/full", O_WRONLY)
            dup2(full, 1)
            exit(Diagnostics(toolName: "tool").show("help\n").rawValue)
        }
    }
}
