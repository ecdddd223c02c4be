// SPDX-License-Identifier: MIT

import AQDevices

/// The client's settings, which outlast a path.
struct InputSettings {
    private(set) var gain: Float = 1
    private(set) var isMetering = false
    private(set) var name: String?
    /// The name with which streams are made.
    private let initialName: String?

    init(name: String?) {
        self.name = name
        initialName = name
    }

    func apply(to path: InputPath) {
        if gain != 1 { path.stream.setGain(gain) }
        if isMetering { path.stream.setMetering(true) }
        if name != initialName { path.stream.setName(name) }
    }

    mutating func setGain(_ gain: Float, on path: InputPath) {
        self.gain = Float(Double(gain).clamped(to: 0...1000))
        path.stream.setGain(self.gain)
    }

    mutating func setMetering(_ isOn: Bool, on path: InputPath) {
        isMetering = isOn
        path.stream.setMetering(isOn)
    }

    mutating func setName(_ name: String?, on path: InputPath) {
        self.name = name
        path.stream.setName(name)
    }
}
