/// A device in the list that `--list-devices --json` prints.
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
        json.key("name")
        json.value(name)
        json.key("description")
        json.value(description)
        json.key("sampleRate")
        if let format { json.value(format.sampleRate, decimals: 0) } else { json.null() }
        json.key("channels")
        if let format { json.value(format.channels) } else { json.null() }
        json.key("isDefault")
        json.value(isDefault)
        json.key("isMonitor")
        json.value(isMonitor)
    }
}
