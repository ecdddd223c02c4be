// SPDX-License-Identifier: MIT

import AQDevices
public import Foundation

extension AVCaptureDevice {
    /// A type of device.
    public struct DeviceType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Every microphone.
        public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
        /// The older name: every microphone.
        public static let builtInMicrophone = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInMicrophone")
        /// A microphone on USB, FireWire, Bluetooth or a network.
        public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
        /// The older name of ``external``.
        public static let externalUnknown = DeviceType(rawValue: "AVCaptureDeviceTypeExternalUnknown")

        /// Whether a device is of this type.
        func includes(_ device: DeviceInfo) -> Bool {
            switch self {
            case .microphone, .builtInMicrophone: return true
            case .external, .externalUnknown:
                return switch device.facts?.connection {
                case .usb, .fireWire, .bluetooth, .network: true
                default: false
                }
            default: return false
            }
        }
    }

    /// The side of a machine that a device faces. Microphones have none.
    public enum Position: Int, Sendable {
        case unspecified = 0
        case back = 1
        case front = 2
    }

    /// A search for devices.
    open class DiscoverySession: NSObject {
        private let deviceTypes: [DeviceType]
        private let mediaType: AVMediaType?
        private let position: Position

        /// - Parameters:
        ///   - deviceTypes: The types, of which a device has at least one.
        ///   - mediaType: The media; nil for all. Only ``AVMediaType/audio`` has devices.
        ///   - position: ``Position/unspecified`` for all; no device has another one.
        public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
            self.deviceTypes = deviceTypes
            self.mediaType = mediaType
            self.position = position
            super.init()
        }

        /// The devices at the moment, each once, the server's default first. Waits for the server; empty without one.
        open var devices: [AVCaptureDevice] {
            guard mediaType == nil || mediaType == .audio, position == .unspecified else { return [] }
            return AVCaptureDevice.microphones()
                .filter { device in deviceTypes.contains { $0.includes(device) } }
                .map { AVCaptureDevice($0) }
        }
    }
}
