// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// The length of slices: that which the client has set for the unit, or else that of the current device in this process.
extension IOUnitObject {
    /// The length of a slice, in frames of the device.
    var bufferFrames: Int {
        if engine.isInitialized { return engine.bufferFrames }
        return inheritedBufferFrames ?? engine.bufferFrames
    }

    func setBufferFrames(_ frames: Int) throws(UnitError) {
        settings.withLock { $0.hasOwnBufferFrames = true }
        try engine.setBufferFrames(frames)
    }

    /// Uses the length of the device, before the unit is initialized.
    func adoptBufferFrames() throws(UnitError) {
        guard !engine.isInitialized, let frames = inheritedBufferFrames, frames != engine.bufferFrames else {
            return
        }
        try engine.setBufferFrames(frames)
    }

    /// The length that the unit has from its device; nil if it has its own, or no device's was set.
    private var inheritedBufferFrames: Int? {
        guard Hardware.shared.use.hasBufferFrames, !settings.withLock({ $0.hasOwnBufferFrames }),
            let number = try? currentDevice(
                at: UnitProperty(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0)),
            case .device(let uid)? = Hardware.shared.objects.object(numbered: number)
        else { return nil }
        return Hardware.shared.use.bufferFrames(of: uid)
    }
}
