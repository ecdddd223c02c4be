import Glibc
import Testing

@testable import AudioDevices

@Suite("Where a sound server is looked for")
struct PulseAddressTests {
    @Test("is told where none answers")
    func addresses() async {
        await #expect(processExitsWith: .success) {
            unsafe _ = setenv("PULSE_SERVER", "unix:/no/such/socket", 1)
            let error = try #require(throws: DeviceError.self) { _ = try PulseDevice.list() }
            let expected = "no sound server answers at 'unix:/no/such/socket' (PULSE_SERVER): "
            try #require(error.message.hasPrefix(expected), "\(error.message)")
        }
    }
}
