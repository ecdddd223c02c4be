// SPDX-License-Identifier: MIT

import CAudioToolbox
import Testing

@testable import AudioToolboxFunctions

/// The functions that are not implemented.
@Suite("Functions without an implementation") struct UnsupportedFunctionTests {
    @Test("return an error for valid arguments", arguments: UnsupportedFunction.allCases)
    func status(function: UnsupportedFunction) { #expect(function.status != noErr) }

    @Test("make neither instances nor graphs") func objects() {
        var wanted = AudioComponentDescription()
        let component = unsafe audioComponentFindNext(nil, &wanted)
        var instance: AudioComponentInstance?
        #expect(unsafe audioComponentInstanceNew(component, &instance) == kAudioComponentErr_UnsupportedType)
        #expect(unsafe instance == nil)
        var graph: AUGraph?
        #expect(unsafe newAUGraph(&graph) == kAUGraphErr_CannotDoInCurrentContext)
        #expect(unsafe graph == nil)
    }
}
