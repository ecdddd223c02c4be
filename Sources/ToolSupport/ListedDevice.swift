/// A device in the list that `--list-devices` prints.
public struct ListedDevice: Sendable {
    private let name: String
    private let description: String
    private let format: (sampleRate: Double, channels: Int)?
    private let isDefault: Bool
    private let isMonitor: Bool

    /// - Parameter format: Nil for a device without a format of its own.
    public init(
        name: String, description: String, format: (sampleRate: Double, channels: Int)?,
        isDefault: Bool = false, isMonitor: Bool = false
    ) {
        self.name = name
        self.description = description
        self.format = format
        self.isDefault = isDefault
        self.isMonitor = isMonitor
    }

    /// An array of objects, on one line.
    public static func json(_ devices: [ListedDevice]) -> String {
        var json = JSONWriter()
        json.array { json in
            for device in devices { json.object { device.write(to: &$0) } }
        }
        return json.text + "\n"
    }

    private func write(to json: inout JSONWriter) {
        json.field("name", name)
        json.field("description", description)
        json.field("sampleRate", format?.sampleRate, decimals: 0)
        json.field("channels", format?.channels)
        json.field("isDefault", isDefault)
        json.field("isMonitor", isMonitor)
    }

    /// A line for each device: its name, and its description.
    public static func table(_ devices: [ListedDevice]) -> String {
        let width = devices.map { DisplayText.columns(of: $0.name) }.max() ?? 0
        return devices.reduce(into: "") { table, device in
            let padding = String(repeating: " ", count: width - DisplayText.columns(of: device.name) + 2)
            table += DisplayText.sanitized("\(device.name)\(padding)\(device.text)") + "\n"
        }
    }

    private var text: String {
        guard let format else { return description }
        var facts = "\(Decimal.text(format.sampleRate, decimals: 0)) Hz, \(format.channels) ch"
        if isMonitor { facts += ", monitor" }
        if isDefault { facts += ", default" }
        return "\(description) (\(facts))"
    }
}
