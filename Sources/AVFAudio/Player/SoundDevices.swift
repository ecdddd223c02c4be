// SPDX-License-Identifier: MIT

package import AQDevices

/// The makers of devices for players and recorders: those of the user's sound server, or a replacement in tests.
///
/// A device's UID is its name in the server's list.
package struct SoundDevices: Sendable {
    /// The makers of a device by its name; nil follows the server's default.
    package var output: @Sendable (_ name: String?) throws(DeviceError) -> any OutputDevice
    package var input: @Sendable (_ name: String?) throws(DeviceError) -> any InputDevice

    package init(
        output: @escaping @Sendable (_ name: String?) throws(DeviceError) -> any OutputDevice,
        input: @escaping @Sendable (_ name: String?) throws(DeviceError) -> any InputDevice
    ) {
        self.output = output
        self.input = input
    }

    /// The user's sound server.
    package static let server = SoundDevices(
        output: { (name: String?) throws(DeviceError) -> any OutputDevice in try PulseDevice(sink: name) },
        input: { (name: String?) throws(DeviceError) -> any InputDevice in try PulseSource(source: name) })

    /// The devices of players and recorders that are made in this task. An object keeps them.
    @TaskLocal package static var current: SoundDevices = .server
}
