// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

extension LoopDevice {
    /// A new `HALOutput` unit with this device in both directions, of which the caller disposes.
    func makeUnit() throws -> AudioUnit {
        var wanted = AudioComponentDescription()
        wanted.componentSubType = kAudioUnitSubType_HALOutput
        let component = unsafe audioComponentFindNext(nil, &wanted)
        var made: AudioComponentInstance?
        let status = TestDevices.with(output: self, input: self) {
            unsafe audioComponentInstanceNew(component, &made)
        }
        try #require(status == noErr)
        return unsafe try #require(made)
    }

    /// Makes a unit of the engine whose first call runs `body`, and the count of its calls.
    func makeUnit(
        hasInput: Bool, firstCall body: @escaping @Sendable (IOUnit) -> Void
    ) throws -> (unit: IOUnit, calls: Tally) {
        let unit = IOUnit(outputDevice: self, inputDevice: self)
        try unit.setEnabled(hasInput, .input)
        let calls = Tally()
        unsafe unit.setRenderCode { [weak unit] _, _, _, _, _ in
            if calls.add(1) == 1, let unit { body(unit) }
            return 0
        }
        return (unit, calls)
    }
}
