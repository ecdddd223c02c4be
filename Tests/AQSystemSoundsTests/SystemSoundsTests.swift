// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Synchronization
import AQTestSupport
import Testing

@testable import AQSystemSounds

/// Sounds by their numbers.
@Suite("Numbers of system sounds") struct AQSystemSoundsTests {
    private let device: ManualDevice
    private let sounds: SystemSounds

    init() {
        let device = ManualDevice()
        self.device = device
        sounds = SystemSounds(player: ClipPlayer { () throws(DeviceError) -> any OutputDevice in device })
    }

    @Test("numbers are above those of the system, and are not used again") func numbers() {
        let first = sounds.add(TestClip.clip([1]))
        let second = sounds.add(TestClip.clip([2]))
        #expect(first > SystemSounds.BuiltIn.alert)
        #expect(second != first)
        #expect(sounds.remove(first))
        #expect(!sounds.remove(first))
        #expect(![first, second].contains(sounds.add(TestClip.clip([3]))))
    }

    @Test("the alert and the sounds of portable systems beep", arguments: [0x1000, 1000, 1007, 1104, 1349])
    func beeps(number: UInt32) {
        let isComplete = Atomic(false)
        sounds.play(number) { isComplete.store(true, ordering: .releasing) }
        #expect(eventually { device.openStreams == 1 })
        let isEarly = isComplete.load(ordering: .acquiring)
        #expect(!isEarly)
        #expect(!sounds.remove(number))
        let ended = eventually {
            _ = device.render(frames: 480)
            return isComplete.load(ordering: .acquiring)
        }
        #expect(ended)
    }

    @Test(
        "numbers without a sound are complete at once",
        arguments: [0, 1, 999, 1350, 1519, 0xFFE, 0xFFF, 77_777, .max])
    func silent(number: UInt32) {
        let isComplete = Atomic(false)
        sounds.play(number) { isComplete.store(true, ordering: .releasing) }
        let isDone = isComplete.load(ordering: .acquiring)
        #expect(isDone)
        expectEqual(device.openStreams, 0)
    }

    @Test("settings belong to one sound, and end with it") func settings() {
        let number = sounds.add(TestClip.clip([1]))
        expectEqual(sounds.settings(of: number), SystemSounds.Settings())
        let isChanged = sounds.change(number) { $0.isInterfaceSound = false }
        #expect(isChanged)
        expectEqual(sounds.settings(of: number)?.isInterfaceSound, false)
        expectEqual(sounds.settings(of: number)?.completesAfterExit, false)
        expectEqual(sounds.settings(of: SystemSounds.BuiltIn.alert)?.isInterfaceSound, true)
        #expect(sounds.remove(number))
        expectEqual(sounds.settings(of: number), nil)
        let isKnown = sounds.change(number) { $0.isInterfaceSound = true }
        #expect(!isKnown)
        expectEqual(sounds.settings(of: 77_777), nil)
        #expect(sounds.settings(of: 0xFFF) != nil)
    }
}
