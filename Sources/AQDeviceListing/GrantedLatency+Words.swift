// SPDX-License-Identifier: MIT

public import AQDevices
import AQToolSupport

extension GrantedLatency {
    /// The device with its rate and channels, if the server has described it: "'speakers' (48000 Hz, 2 ch)".
    public var deviceWords: String {
        guard deviceChannels > 0 else { return "'\(deviceName)'" }
        return "'\(deviceName)' (\(Decimal.text(deviceSampleRate, decimals: 0)) Hz, \(deviceChannels) ch)"
    }
}
