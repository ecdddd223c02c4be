// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing
import AQToolSupport

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test("are refused with a remedy", arguments: ["mms://a/b.mp3", "FTP://a/b", "rtsp://a"])
    func refused(address: String) {
        expectEqual(
            NetworkAddress.refusal(of: FilePath(address), command: "aqplay -"),
            "cannot open '\(address)': only addresses with http: and https: are opened; if another "
                + "program can read it, write: PROGRAM '\(address)' | aqplay -")
    }

    @Test(
        "of the web that are not valid are refused", arguments: ["http://", "https:foo", "HTTP://a:99999/b"])
    func web(address: String) {
        expectEqual(
            NetworkAddress.refusal(of: FilePath(address), command: "aqplay -"),
            "cannot open '\(address)': it is not a valid address")
    }

    @Test(
        "differ from file names",
        arguments: ["", "a.mp3", "rtsp:", "rtsp://", "/rtsp://a", "rtspx://a", "httpx://a"])
    func files(name: String) {
        expectEqual(NetworkAddress.refusal(of: FilePath(name), command: "aqplay -"), nil)
    }
}
