// SPDX-License-Identifier: MIT

import ToolSupport

/// The interruptions and changes of a device of which the user has been warned.
struct DeviceNews {
    private var isAway = false
    private var interruptions = 0
    private var interruptedFrames: Int64 = 0
    private var deviceName: String?

    mutating func setDeviceName(_ name: String) { deviceName = name }

    /// Returns whether silence was inserted that no warning has reported.
    func isMissing(interruptedFrames frames: Int64) -> Bool { frames > interruptedFrames }

    /// Returns the warnings for the changes since the last call.
    mutating func warnings(
        interruptions: Int, interruptedFrames: Int64, deviceName: String?, sampleRate: Double,
        recoverySeconds: Double
    ) -> [String] {
        var warnings: [String] = []
        // If an event is reported late, the device may already be back.
        if isMissing(interruptedFrames: interruptedFrames) {
            let seconds = Double(interruptedFrames - self.interruptedFrames) / sampleRate
            let event = isAway ? "capture resumes" : "the sound server or the device was unavailable"
            warnings.append("\(event): \(Decimal.text(seconds, decimals: 2)) s of silence are inserted")
            isAway = false
        } else if interruptions > self.interruptions {
            let limit = Decimal.text(recoverySeconds, decimals: recoverySeconds < 10 ? 1 : 0)
            warnings.append("the sound server or the device is unavailable; waiting up to \(limit) s")
            isAway = true
        } else if isAway {
            warnings.append("capture resumes")
            isAway = false
        }
        if let deviceName, let known = self.deviceName, deviceName != known {
            warnings.append("recording continues from '\(deviceName)'")
        }
        (self.interruptions, self.interruptedFrames) = (interruptions, interruptedFrames)
        self.deviceName = deviceName ?? self.deviceName
        return warnings
    }
}
