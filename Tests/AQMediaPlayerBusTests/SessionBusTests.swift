// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AQMediaPlayerBus

@Suite("SessionBus and URLs")
struct SessionBusTests {
    @Test(
        "the variable has priority; empty or a started bus means none",
        arguments: [("unix:path=/x", "unix:path=/x"), ("", nil), ("autolaunch:", nil)]
            as [(String, String?)])
    func variable(value: String, address: String?) {
        let found = SessionBus.address {
            ["DBUS_SESSION_BUS_ADDRESS": value, "XDG_RUNTIME_DIR": "/run/user/1000"][$0]
        }
        expectEqual(found, address)
    }

    @Test("without the variable, the bus is in the folder of the session")
    func folder() throws {
        let folder = ScratchFolder()
        let environment = { (name: String) in name == "XDG_RUNTIME_DIR" ? folder.path : nil }
        expectEqual(SessionBus.address(environment: environment), nil)
        try folder.write([], to: "bus")
        expectEqual(SessionBus.address(environment: environment), "unix:path=\(folder.path)/bus")
        expectEqual(SessionBus.address { _ in nil }, nil)
    }

    @Test("a URL of a path has escapes for all bytes that are not allowed in it")
    func urls() {
        expectEqual(PercentEncoding.fileURL("/a b/ü#?%.mp3".utf8), "file:///a%20b/%c3%bc%23%3f%25.mp3")
        expectEqual(PercentEncoding.fileURL([0x2F, 0xE9, 0x0A] as [UInt8]), "file:///%e9%0a")
        expectEqual(PercentEncoding.fileURL("/a-b_c.~!$&'()*+,;=:@/".utf8), "file:///a-b_c.~!$&'()*+,;=:@/")
    }
}
