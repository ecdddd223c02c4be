// SPDX-License-Identifier: MIT

import AQToolSupport

/// The interruptions and changes of a device of which the user has been warned.
struct DeviceNews {
    private var isAway = false
    private var interruptions = 0
    private var interruptedFrames: Int64 = 0
    private var deviceName: String?
    private var hasEnded = false
    /// Whether the warning was returned that the device did not return, which is the last one about it.
    private var hasReportedLoss = false

    /// Whether the device was away when the recording was ended.
    var isLost: Bool { isAway && hasEnded }

    /// Notes that the recording is ended by request: silence from now on is inserted because the device is away.
    mutating func end() { hasEnded = true }

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
        if isMissing(interruptedFrames: interruptedFrames), !hasReportedLoss {
            let seconds = Double(interruptedFrames - self.interruptedFrames) / sampleRate
            let event =
                hasEnded
                ? "the sound server or the device did not return"
                : isAway ? "capture resumes" : "the sound server or the device was unavailable"
            warnings.append("\(event): \(Decimal.text(seconds, decimals: 2)) s of silence are inserted")
            isAway = hasEnded
            hasReportedLoss = hasEnded
        } else if interruptions > self.interruptions {
            let limit = Decimal.text(recoverySeconds, decimals: recoverySeconds < 10 ? 1 : 0)
            warnings.append("the sound server or the device is unavailable; waiting up to \(limit) s")
            isAway = true
        } else if isLost, !hasReportedLoss {
            warnings.append("the sound server or the device did not return")
            hasReportedLoss = true
        } else if isAway, !hasEnded {
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
