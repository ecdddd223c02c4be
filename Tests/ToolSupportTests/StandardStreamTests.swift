import Glibc
import Testing

@testable import ToolSupport

@Suite("Standard input, output and error")
struct StandardStreamTests {
    @Test("help that cannot be written is a failure of writing")
    func help() async {
        await #expect(processExitsWith: .exitCode(74)) {
            let full = unsafe open("/dev/full", O_WRONLY)
            dup2(full, 1)
            exit(Diagnostics(toolName: "tool").show("help\n").rawValue)
        }
    }
}
