// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import AQToolSupport

@Suite("Terminals")
struct TerminalTests {
    @Test("support escape sequences unless they are dumb", arguments: ["xterm-256color", "dumb", ""])
    func dumb(kind: String) async throws {
        await #expect(processExitsWith: .exitCode(kind == "dumb" ? 1 : 0)) { [kind = kind as String] in
            // A terminal without a display.
            let terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
            unsafe setenv("TERM", kind, 1)
            guard Terminal.isTerminal(terminal) else { exit(4) }
            exit(Terminal.takesEscapeSequences(terminal) ? 0 : 1)
        }
        let null = unsafe open("/dev/null", O_WRONLY)
        #expect(!Terminal.takesEscapeSequences(null))
        close(null)
    }
}
