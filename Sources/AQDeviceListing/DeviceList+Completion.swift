// SPDX-License-Identifier: MIT

import AQDevices
public import AQToolSupport

/// The devices that completion offers: those of a server, unless it does not answer within a second.
extension DeviceList {
    /// A shell waits for the answer.
    private static let timeoutSeconds = 1.0

    /// The sinks of the server.
    public static func sinks() -> [ValueWord] {
        words { () throws(DeviceError) in try PulseDevice.list(timeoutSeconds: timeoutSeconds) }
    }

    /// The sources of the server.
    public static func sources() -> [ValueWord] {
        words { () throws(DeviceError) in try PulseSource.list(timeoutSeconds: timeoutSeconds) }
    }

    private static func words(of server: () throws(DeviceError) -> [DeviceInfo]) -> [ValueWord] {
        guard let devices = try? server() else { return [] }
        return devices.map { ValueWord($0.name, help: text($0)) }
    }
}
