// SPDX-License-Identifier: MIT

public import AQDevices
public import AQToolSupport

/// The list that `--list-devices` prints: a server's devices, and the virtual one of tools that have it.
public struct DeviceList: Sendable {
    private let devices: [DeviceInfo]

    /// - Parameter virtual: The description of the virtual device, which has no format of its own; nil for none.
    public init(_ devices: [DeviceInfo], virtual: String?) {
        let virtualDevice = virtual.map {
            DeviceInfo(name: "virtual", description: $0, sampleRate: 0, channels: 0, isDefault: false)
        }
        self.devices = devices + (virtualDevice.map { [$0] } ?? [])
    }

    /// Writes the list to standard output. If the server does not answer, the list has no devices of the server.
    ///
    /// - Parameter kind: The devices in the plural, such as "sources", for a message.
    public static func show(
        _ kind: String, virtual: String?, isJSON: Bool, _ diagnostics: Diagnostics,
        of server: () throws(DeviceError) -> [DeviceInfo]
    ) -> ExitStatus {
        func show(_ devices: [DeviceInfo]) -> ExitStatus {
            let list = DeviceList(devices, virtual: virtual)
            return diagnostics.show(isJSON ? list.json : list.table)
        }
        do throws(DeviceError) { return show(try server()) } catch {
            _ = show([])
            diagnostics.report("cannot list the sound server's \(kind): \(error.message)")
            return .noSoundServer
        }
    }

    /// The list as JSON: an array of objects, on one line.
    public var json: String {
        var json = JSONWriter()
        json.array { json in
            for device in devices { json.object { Self.write(device, to: &$0) } }
        }
        return json.text + "\n"
    }

    private static func write(_ device: DeviceInfo, to json: inout JSONWriter) {
        let hasFormat = device.channels > 0
        json.field("name", device.name)
        json.field("description", device.description)
        json.field("sampleRate", hasFormat ? device.sampleRate : nil, decimals: 0)
        json.field("channels", hasFormat ? device.channels : nil)
        json.field("isDefault", device.isDefault)
        json.field("isMonitor", device.isMonitor)
    }

    /// The list as text: a line for each device with its name and its description.
    public var table: String {
        let width = devices.map { DisplayText.columns(of: $0.name) }.max() ?? 0
        return devices.reduce(into: "") { table, device in
            let padding = String(repeating: " ", count: width - DisplayText.columns(of: device.name) + 2)
            table += DisplayText.sanitized("\(device.name)\(padding)\(Self.text(device))") + "\n"
        }
    }

    static func text(_ device: DeviceInfo) -> String {
        guard device.channels > 0 else { return device.description }
        var facts = "\(Decimal.text(device.sampleRate, decimals: 0)) Hz, \(device.channels) ch"
        if device.isMonitor { facts += ", monitor" }
        if device.isDefault { facts += ", default" }
        return "\(device.description) (\(facts))"
    }
}
