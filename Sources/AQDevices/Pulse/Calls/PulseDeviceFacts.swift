// SPDX-License-Identifier: MIT

import CAQPulse

extension DeviceFacts {
    /// The facts that the server reports of a sink, without ``isUsedHere``.
    init(_ info: pa_sink_info) {
        let flags = unsafe info.flags.rawValue
        let rate = unsafe Double(info.sample_spec.rate)
        let isAsleep = unsafe info.state == PA_SINK_SUSPENDED
        unsafe self.init(
            manufacturer: DeviceFacts.text(info.proplist, PA_PROP_DEVICE_VENDOR_NAME),
            connection: DeviceFacts.connection(
                info.proplist, isHardware: flags & PA_SINK_HARDWARE.rawValue != 0,
                isNetwork: flags & PA_SINK_NETWORK.rawValue != 0),
            latencyFrames: isAsleep ? nil : DeviceFacts.frames(info.latency, rate),
            bufferFrames: isAsleep ? nil : DeviceFacts.frames(info.configured_latency, rate),
            isRunning: info.state == PA_SINK_RUNNING,
            driver: info.driver.map { unsafe String(cString: $0) } ?? "",
            port: DeviceFacts.port(info.proplist, type: info.active_port?.pointee.type ?? 0),
            volume: DeviceFacts.volume(info.volume, isMuted: info.mute != 0),
            channelVolumes: info.volume.channelVolumes, isMuted: info.mute != 0)
    }

    /// The facts that the server reports of a source, which may be a sink's monitor.
    init(_ info: pa_source_info) {
        let flags = unsafe info.flags.rawValue
        let rate = unsafe Double(info.sample_spec.rate)
        let isAsleep = unsafe info.state == PA_SOURCE_SUSPENDED
        let isMonitor = unsafe info.monitor_of_sink_name != nil
        let isHardware = flags & PA_SOURCE_HARDWARE.rawValue != 0 && !isMonitor
        unsafe self.init(
            manufacturer: DeviceFacts.text(info.proplist, PA_PROP_DEVICE_VENDOR_NAME),
            connection: DeviceFacts.connection(
                info.proplist, isHardware: isHardware,
                isNetwork: flags & PA_SOURCE_NETWORK.rawValue != 0),
            // QUIRK: a monitor's latency can be wrong by most of a second.
            latencyFrames: isAsleep || isMonitor ? nil : DeviceFacts.frames(info.latency, rate),
            bufferFrames: isAsleep ? nil : DeviceFacts.frames(info.configured_latency, rate),
            isRunning: info.state == PA_SOURCE_RUNNING,
            driver: info.driver.map { unsafe String(cString: $0) } ?? "",
            port: DeviceFacts.port(info.proplist, type: info.active_port?.pointee.type ?? 0),
            volume: DeviceFacts.volume(info.volume, isMuted: info.mute != 0),
            channelVolumes: info.volume.channelVolumes, isMuted: info.mute != 0)
    }

    /// The device's connection, from properties set by the server's modules and the system's device database.
    private static func connection(
        _ properties: OpaquePointer?, isHardware: Bool, isNetwork: Bool
    ) -> Connection {
        if isNetwork { return .network }
        let bus = unsafe text(properties, PA_PROP_DEVICE_BUS)
        // Not every server marks hardware, but a device on a bus is hardware.
        guard isHardware || !bus.isEmpty else { return .virtual }
        switch unsafe text(properties, PA_PROP_DEVICE_CLASS) {
        case "abstract", "filter", "monitor": return .virtual
        default: break
        }
        if unsafe text(properties, PA_PROP_DEVICE_PROFILE_NAME).hasPrefix("hdmi") { return .hdmi }
        if unsafe text(properties, PA_PROP_DEVICE_FORM_FACTOR) == "internal" { return .builtIn }
        return switch bus {
        case "pci": .pci
        case "usb": .usb
        case "bluetooth": .bluetooth
        case "firewire": .fireWire
        default: .unknown
        }
    }

    /// The purpose of the device's active port.
    ///
    /// - Parameter type: The server's type of the port (`pa_device_port_type`); 0 if there is no port.
    private static func port(_ properties: OpaquePointer?, type: UInt32) -> Port {
        Port(
            portType: type, formFactor: unsafe text(properties, PA_PROP_DEVICE_FORM_FACTOR),
            bluetoothProfile: unsafe text(properties, "bluetooth.protocol")
                + text(properties, "api.bluez5.profile"))
    }

    /// The volume of the loudest channel; nil if the server reports no valid volume.
    private static func volume(_ volume: pa_cvolume, isMuted: Bool) -> Double? {
        var volume = volume
        guard unsafe pa_cvolume_valid(&volume) != 0 else { return nil }
        return isMuted ? 0 : Double(unsafe pa_cvolume_max(&volume)) / Double(PA_VOLUME_NORM)
    }

    /// A property of a device; empty if it has none with that name.
    private static func text(_ properties: OpaquePointer?, _ key: String) -> String {
        guard let properties = unsafe properties, let text = unsafe pa_proplist_gets(properties, key)
        else { return "" }
        return unsafe String(cString: text)
    }

    /// A server's time in frames; nil for unknown or impossible values.
    private static func frames(_ microseconds: pa_usec_t, _ sampleRate: Double) -> Int? {
        let frames = (Double(microseconds) / 1e6 * sampleRate).rounded()
        return frames >= 1 && frames < 1e9 ? Int(frames) : nil
    }
}
