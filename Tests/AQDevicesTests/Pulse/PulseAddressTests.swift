// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import AQDevices

@Suite("Addresses of sound servers")
struct PulseAddressTests {
    @Test("the error names the address at which none answers")
    func addresses() async {
        await #expect(processExitsWith: .success) {
            unsafe _ = setenv("PULSE_SERVER", "unix:/no/such/socket", 1)
            let error = try #require(throws: DeviceError.self) { _ = try PulseDevice.list() }
            let expected = "no sound server answers at 'unix:/no/such/socket' (PULSE_SERVER): "
            try #require(error.message.hasPrefix(expected), "\(error.message)")
        }
    }
}
