// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Testing

@Suite("Truth values that C writes") struct DarwinBooleanTests {
    @Test("it is written as a literal, compared, and printed as Swift's own") func values() {
        let yes: DarwinBoolean = true
        let no = DarwinBoolean(false)
        #expect(yes.boolValue)
        #expect(!no.boolValue)
        #expect(yes != no)
        expectEqual(yes, DarwinBoolean(true))
        expectEqual("\(yes) \(no)", "true false")
    }

    @Test("it has one byte, as C has") func size() {
        expectEqual(MemoryLayout<DarwinBoolean>.size, 1)
        expectEqual(MemoryLayout<DarwinBoolean>.stride, 1)
    }

    @Test("a function writes it, and leaves it alone if it fails") func written() {
        var address = AudioObjectPropertyAddress(
            mSelector: kAudioHardwarePropertyRunLoop, mScope: kAudioObjectPropertyScopeGlobal,
            mElement: kAudioObjectPropertyElementMain)
        var isSettable: DarwinBoolean = false
        unsafe expectEqual(
            AudioObjectIsPropertySettable(kAudioObjectSystemObject, &address, &isSettable), noErr)
        #expect(isSettable.boolValue)
        address.mSelector = 0
        unsafe expectEqual(
            AudioObjectIsPropertySettable(kAudioObjectSystemObject, &address, &isSettable),
            kAudioHardwareUnknownPropertyError)
        #expect(isSettable.boolValue)
    }
}
