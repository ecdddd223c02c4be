// SPDX-License-Identifier: MIT

package import AQDevices

/// A port of a route: a device of the server, in the terms of an audio session.
package struct SessionPort: Sendable, Equatable {
    /// The types of ports, as on portable systems.
    package enum Kind: Sendable, CaseIterable {
        case builtInSpeaker, builtInReceiver, headphones, lineOut, hdmi, airPlay, bluetoothA2DP
        case builtInMicrophone, headsetMicrophone, lineIn
        /// Both directions.
        case bluetoothHFP, usbAudio

        /// Whether the user usually hears this port alone: a program pauses if it disappears.
        var isPrivate: Bool {
            switch self {
            case .headphones, .bluetoothA2DP, .bluetoothHFP, .usbAudio: true
            default: false
            }
        }
    }

    package var kind: Kind
    /// The name of the device in the server, which selects it.
    package var uid: String
    /// The name shown to a user.
    package var name: String
    package var channels: Int

    /// The port of a sink.
    package init(output device: DeviceInfo) {
        self.init(device, kind: Self.outputKind(of: device.facts ?? DeviceFacts()))
    }

    /// The port of a source.
    package init(input device: DeviceInfo) {
        self.init(device, kind: Self.inputKind(of: device.facts ?? DeviceFacts()))
    }

    private init(_ device: DeviceInfo, kind: Kind) {
        self.kind = kind
        uid = device.name
        name = device.description
        channels = device.channels
    }

    private static func outputKind(of facts: DeviceFacts) -> Kind {
        switch facts.connection {
        case .bluetooth: return facts.port == .handsFree ? .bluetoothHFP : .bluetoothA2DP
        case .usb: return .usbAudio
        case .hdmi: return .hdmi
        case .network: return .airPlay
        case .unknown, .builtIn, .pci, .fireWire, .virtual: break
        }
        return switch facts.port {
        case .headphones, .headset: .headphones
        case .receiver: .builtInReceiver
        case .line, .digital: .lineOut
        case .hdmi: .hdmi
        case .unknown, .speaker, .handsFree, .microphone: .builtInSpeaker
        }
    }

    private static func inputKind(of facts: DeviceFacts) -> Kind {
        switch facts.connection {
        case .bluetooth: return .bluetoothHFP
        case .usb: return .usbAudio
        case .unknown, .builtIn, .pci, .fireWire, .hdmi, .virtual, .network: break
        }
        return switch facts.port {
        case .headset: .headsetMicrophone
        case .line, .digital: .lineIn
        default: .builtInMicrophone
        }
    }
}

/// The ports that a session uses, at most one of each direction.
package struct SessionRoute: Sendable, Equatable {
    package var output: SessionPort?
    package var input: SessionPort?

    package init(output: SessionPort? = nil, input: SessionPort? = nil) {
        self.output = output
        self.input = input
    }

    /// Makes the route of a session: the default devices in the directions of its category, and the preferred input
    /// instead of the default one.
    package init(_ devices: SessionDevices, _ settings: SessionSettings) {
        if settings.category.usesOutput { output = devices.output.map { SessionPort(output: $0) } }
        if settings.category.usesInput {
            input = devices.selectedInput(preferring: settings.preferredInput).map { SessionPort(input: $0) }
        }
    }

    /// The reason of a change, as published for audio sessions.
    package enum ChangeReason: Sendable, Equatable {
        case unknown, newDeviceAvailable, oldDeviceUnavailable, categoryChange, override
        case routeConfigurationChange
    }
}
