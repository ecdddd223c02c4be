// SPDX-License-Identifier: MIT

import CAudioToolbox
import Testing

@testable import AudioToolboxFunctions

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
}
