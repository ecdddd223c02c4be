// SPDX-License-Identifier: MIT

package import AQDevices

/// The devices of a session at one moment: the defaults of the server.
package struct SessionDevices: Sendable, Equatable {
    /// The default sink; nil if there is none.
    package var output: DeviceInfo?
    /// The default source; nil if there is none, or if it is only a monitor, which is not a microphone.
    package var input: DeviceInfo?
    /// All sources but monitors, in the server's order.
    package var inputs: [DeviceInfo]
    /// The names of all sinks and of all sources.
    package var names: Set<String>

    package init(sinks: [DeviceInfo] = [], sources: [DeviceInfo] = []) {
        output = sinks.first(where: \.isDefault)
        input = sources.first { $0.isDefault && !$0.isMonitor }
        inputs = sources.filter { !$0.isMonitor }
        names = Set((sinks + sources).map(\.name))
    }

    /// The source that a program has requested, or else the default one; nil if there is neither.
    ///
    /// - Parameter name: The name of the requested source; nil for no request.
    package func selectedInput(preferring name: String?) -> DeviceInfo? {
        inputs.first { $0.name == name } ?? input
    }

    /// The rate of the hardware: that of the output, or else of the input. Nil without devices.
    package func sampleRate(for category: SessionSettings.Category) -> Double? {
        let first = category.usesOutput ? output : input
        return (first ?? output ?? input)?.sampleRate
    }

    /// The volume of the output, 0 to 1; nil if it is unknown.
    package var outputVolume: Double? { output?.facts?.volume.map { min(max($0, 0), 1) } }

    /// The reason why the devices of the route changed from `old` to `new`; nil if they did not.
    ///
    /// - Parameters:
    ///   - before: The devices of the old route.
    ///   - now: The devices of the new route.
    static func reason(
        from old: SessionRoute, _ before: SessionDevices, to new: SessionRoute, _ now: SessionDevices
    ) -> SessionRoute.ChangeReason? {
        reason(from: old.output, before, to: new.output, now)
            ?? reason(from: old.input, before, to: new.input, now)
    }

    private static func reason(
        from old: SessionPort?, _ before: SessionDevices, to new: SessionPort?, _ now: SessionDevices
    ) -> SessionRoute.ChangeReason? {
        guard let old else { return new == nil ? nil : .newDeviceAvailable }
        guard let new else { return .oldDeviceUnavailable }
        if old.uid == new.uid {
            if old.kind == new.kind { return old.channels == new.channels ? nil : .routeConfigurationChange }
            // The same device with another port: a plug was inserted or removed.
            return old.kind.isPrivate && !new.kind.isPrivate ? .oldDeviceUnavailable : .newDeviceAvailable
        }
        if !now.names.contains(old.uid) { return .oldDeviceUnavailable }
        // The user, or a program, selected another device if both existed before.
        return before.names.contains(new.uid) ? .override : .newDeviceAvailable
    }
}

/// The source of a session's devices: a sound server, or a table in tests.
package protocol SessionHardware: Sendable {
    /// Returns the current devices; waits for the server's answer.
    func devices() throws(DeviceError) -> SessionDevices

    /// Calls `changed` soon after any device or default, or ``holdsAudio``, has changed, or the server has ended or
    /// returned.
    ///
    /// One call may report several changes, or none. `changed` may be called on any thread, and must not wait.
    ///
    /// - Returns: The watch, which lasts until its release; nil if there are no events.
    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)?

    /// Whether the server has paused audio of this process for another stream, such as a conversation.
    var holdsAudio: Bool { get }
}

extension SessionHardware {
    package var holdsAudio: Bool { false }
}

/// The user's sound server.
package struct ServerHardware: SessionHardware {
    /// The server's address; nil for the user's default.
    private let server: String?

    package init(server: String? = nil) { self.server = server }

    package func devices() throws(DeviceError) -> SessionDevices {
        SessionDevices(
            sinks: try PulseDevice.list(server: server), sources: try PulseSource.list(server: server))
    }

    package func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        do throws(DeviceError) {
            return Watch(
                devices: try PulseDeviceWatch(server: server, changed),
                streams: HeldStreams.shared.watch(changed))
        } catch { return nil }
    }

    private final class Watch: Sendable {
        private let devices: PulseDeviceWatch
        private let streams: HeldStreams.Watch

        init(devices: PulseDeviceWatch, streams: HeldStreams.Watch) {
            self.devices = devices
            self.streams = streams
        }
    }

    package var holdsAudio: Bool { HeldStreams.shared.areAny }
}
