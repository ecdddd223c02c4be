import Testing
import ToolSupport

@Suite("The list of devices")
struct ListedDeviceTests {
    @Test("is an array of objects as JSON")
    func json() {
        let devices = [
            ListedDevice(
                name: "a", description: "A \"b\"", format: (48_000, 2), isDefault: true, isMonitor: true),
            ListedDevice(name: "virtual", description: "none", format: nil),
        ]
        #expect(
            ListedDevice.json(devices)
                == #"[{"name":"a","description":"A \"b\"","sampleRate":48000,"channels":2,"isDefault":true,"#
                + #""isMonitor":true},{"name":"virtual","description":"none","sampleRate":null,"#
                + #""channels":null,"isDefault":false,"isMonitor":false}]"# + "\n")
        #expect(ListedDevice.json([]) == "[]\n")
    }
}
