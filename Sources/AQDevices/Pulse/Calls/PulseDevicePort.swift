// SPDX-License-Identifier: MIT

import CAQPulse

extension DeviceFacts.Port {
    /// Makes a port from a server's report.
    ///
    /// - Parameters:
    ///   - portType: The type of the active port (`pa_device_port_type`); 0 if unknown.
    ///   - formFactor: The form of the device (`device.form_factor`), which counts if the port's type says nothing.
    ///   - bluetoothProfile: The profile of a Bluetooth device, which distinguishes calls from music.
    init(portType: UInt32, formFactor: String, bluetoothProfile: String = "") {
        // "headset_head_unit", "handsfree_head_unit", and the names that PipeWire uses.
        if bluetoothProfile.contains("headset") || bluetoothProfile.contains("handsfree") {
            self = .handsFree
            return
        }
        switch pa_device_port_type(rawValue: portType) {
        case PA_DEVICE_PORT_TYPE_SPEAKER, PA_DEVICE_PORT_TYPE_HIFI: self = .speaker
        case PA_DEVICE_PORT_TYPE_HEADPHONES: self = .headphones
        case PA_DEVICE_PORT_TYPE_HEADSET: self = .headset
        case PA_DEVICE_PORT_TYPE_HANDSET, PA_DEVICE_PORT_TYPE_EARPIECE, PA_DEVICE_PORT_TYPE_PHONE:
            self = .receiver
        case PA_DEVICE_PORT_TYPE_HANDSFREE, PA_DEVICE_PORT_TYPE_CAR: self = .handsFree
        case PA_DEVICE_PORT_TYPE_LINE, PA_DEVICE_PORT_TYPE_AUX: self = .line
        case PA_DEVICE_PORT_TYPE_MIC: self = .microphone
        case PA_DEVICE_PORT_TYPE_HDMI, PA_DEVICE_PORT_TYPE_TV: self = .hdmi
        case PA_DEVICE_PORT_TYPE_SPDIF: self = .digital
        default:
            self =
                switch formFactor {
                case "speaker", "internal", "hifi": .speaker
                case "headphone": .headphones
                case "headset": .headset
                case "handset": .receiver
                case "hands-free", "car": .handsFree
                case "microphone", "webcam": .microphone
                case "tv": .hdmi
                default: .unknown
                }
        }
    }
}
