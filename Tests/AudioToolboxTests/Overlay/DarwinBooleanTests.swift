// SPDX-License-Identifier: MIT

import AudioToolbox
import Testing

@Suite("Truth values that C writes") struct DarwinBooleanTests {
    @Test("it is written as a literal, compared, and printed as Swift's own") func values() {
        let yes: DarwinBoolean = true
        let no = DarwinBoolean(false)
        #expect(yes.boolValue)
        #expect(!no.boolValue)
        #expect(yes != no)
        #expect(yes == DarwinBoolean(true))
        #expect("\(yes) \(no)" == "true false")
    }

    @Test("it has one byte, as C has") func size() {
        #expect(MemoryLayout<DarwinBoolean>.size == 1)
        #expect(MemoryLayout<DarwinBoolean>.stride == 1)
    }

    @Test("a function writes it, and leaves it alone if it fails") func written() {
        var address = AudioObjectPropertyAddress(
            mSelector: kAudioHardwarePropertyRunLoop, mScope: kAudioObjectPropertyScopeGlobal,
            mElement: kAudioObjectPropertyElementMain)
        var isSettable: DarwinBoolean = false
        #expect(
            unsafe AudioObjectIsPropertySettable(kAudioObjectSystemObject, &address, &isSettable) == noErr)
        #expect(isSettable.boolValue)
        address.mSelector = 0
        #expect(
            unsafe AudioObjectIsPropertySettable(kAudioObjectSystemObject, &address, &isSettable)
                == kAudioHardwareUnknownPropertyError)
        #expect(isSettable.boolValue)
    }
}
