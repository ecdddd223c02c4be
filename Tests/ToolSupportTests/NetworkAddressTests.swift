import AudioFiles
import Testing
import ToolSupport

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test("are refused with a remedy", arguments: ["http://a/b.mp3", "https://a", "FTP://a/b", "rtsp://a"])
    func refused(address: String) {
        #expect(
            NetworkAddress.refusal(of: FilePath(address), command: "aqplay -")
                == "cannot open '\(address)': network addresses are not opened; write: "
                + "curl -L '\(address)' | aqplay -")
    }

    @Test(
        "differ from file names",
        arguments: ["", "a.mp3", "http:", "http://", "/http://a", "httpx://a"])
    func files(name: String) {
        #expect(NetworkAddress.refusal(of: FilePath(name), command: "aqplay -") == nil)
    }
}
