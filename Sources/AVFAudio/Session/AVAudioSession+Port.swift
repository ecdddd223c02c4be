// SPDX-License-Identifier: MIT

import AQSessions

extension AVAudioSession {
    /// A type of port. The raw values are those that portable systems use.
    public struct Port: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        // Inputs.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        public static let lineIn = Port(rawValue: "LineIn")
        /// Never reported.
        public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")

        // Outputs.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        public static let builtInReceiver = Port(rawValue: "Receiver")
        public static let headphones = Port(rawValue: "Headphones")
        public static let lineOut = Port(rawValue: "LineOut")
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        public static let HDMI = Port(rawValue: "HDMI")
        /// A device of another machine.
        public static let airPlay = Port(rawValue: "AirPlay")

        // Both directions.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// Never reported.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        /// Never reported.
        public static let carAudio = Port(rawValue: "CarAudio")
        /// Never reported.
        public static let virtual = Port(rawValue: "Virtual")
        /// Never reported.
        public static let PCI = Port(rawValue: "PCI")
        /// Never reported.
        public static let fireWire = Port(rawValue: "FireWire")
        /// Never reported.
        public static let displayPort = Port(rawValue: "DisplayPort")
        /// Never reported.
        public static let AVB = Port(rawValue: "AVB")
        /// Never reported.
        public static let thunderbolt = Port(rawValue: "Thunderbolt")
    }
}

extension AVAudioSession.Port {
    init(_ kind: SessionPort.Kind) {
        self =
            switch kind {
            case .builtInSpeaker: .builtInSpeaker
            case .builtInReceiver: .builtInReceiver
            case .headphones: .headphones
            case .lineOut: .lineOut
            case .hdmi: .HDMI
            case .airPlay: .airPlay
            case .bluetoothA2DP: .bluetoothA2DP
            case .builtInMicrophone: .builtInMic
            case .headsetMicrophone: .headsetMic
            case .lineIn: .lineIn
            case .bluetoothHFP: .bluetoothHFP
            case .usbAudio: .usbAudio
            }
    }
}
