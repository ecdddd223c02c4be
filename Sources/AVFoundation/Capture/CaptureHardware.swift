// SPDX-License-Identifier: MIT

import AQDevices

/// The source of microphones: the user's sound server, or a replacement in tests.
struct CaptureHardware: Sendable {
    /// Lists all sources, monitors too. Waits for the server.
    var list: @Sendable () throws(DeviceError) -> [DeviceInfo]
    /// Makes the device of a name.
    var makeInput: @Sendable (_ name: String) throws(DeviceError) -> any InputDevice
    /// Calls a function, which must not wait, soon after any change, as long as the result is referenced.
    var watch:
        @Sendable (_ changed: @escaping @Sendable () -> Void) throws(DeviceError)
            -> (any AnyObject & Sendable)

    static let server = CaptureHardware(
        list: { () throws(DeviceError) -> [DeviceInfo] in try PulseSource.list() },
        makeInput: { (name: String) throws(DeviceError) -> any InputDevice in
            try PulseSource(source: name)
        },
        watch: {
            (changed: @escaping @Sendable () -> Void) throws(DeviceError) -> (any AnyObject & Sendable) in
            try PulseDeviceWatch(changed)
        })

    private static let shared = Monitor(CaptureHardware.server)

    static var current: CaptureHardware { shared.withLock { $0 } }

    /// Replaces the server's devices, for devices that are listed later.
    static func replace(by hardware: CaptureHardware) { shared.withLock { $0 = hardware } }

    /// The microphones, the default one first; nil if no server answers.
    func microphones() -> [DeviceInfo]? {
        let all: [DeviceInfo]
        do throws(DeviceError) { all = try list() } catch { return nil }
        let microphones = all.filter { !$0.isMonitor }
        return microphones.filter(\.isDefault) + microphones.filter { !$0.isDefault }
    }
}
