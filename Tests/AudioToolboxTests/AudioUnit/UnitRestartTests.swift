// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQUnits
import Synchronization
import AQTestSupport
import Testing

@Suite("A running unit whose settings change", .timeLimit(.minutes(20))) struct UnitRestartTests {
    @Test("runs on with its settings if streams cannot be made with new ones") func failure() throws {
        let device = LoopDevice()
        let unit = IOUnit(outputDevice: device, inputDevice: nil)
        try unit.initialize()
        try unit.start()
        let changes = Mutex<[IOUnit.Change]>([])
        unit.setListener { change in changes.withLock { $0.append(change) } }
        let missing = try PulseDevice(server: "unix:/nonexistent")
        #expect(throws: UnitError.self) { try unit.setDevices(output: missing, input: nil) }
        #expect(unit.isRunning)
        expectEqual(changes.withLock { $0 }, [])
        unit.uninitialize()
    }

    @Test("runs on if its code changes the length of slices in its first call", arguments: [false, true])
    func changeInFirstCall(hasInput: Bool) throws {
        let device = LoopDevice()
        for _ in 0..<10 {
            let (unit, calls) = try device.makeUnit(hasInput: hasInput) { try? $0.setBufferFrames(128) }
            try unit.initialize()
            try unit.start()
            #expect(unit.isRunning)
            #expect(eventually(within: 5) { calls.now > 3 })
            unit.uninitialize()
        }
    }

    @Test("plays with the volume that was set while its streams were made") func volume() throws {
        let device = LoopDevice()
        let unit = IOUnit(outputDevice: device, inputDevice: nil)
        let volumes = Mutex<[Float]>([0.25, 0.5])
        unit.setPreferredBufferFrames { [weak unit] _ in
            if let volume = volumes.withLock({ $0.popLast() }) { unit?.setVolume(volume) }
            return nil
        }
        try unit.initialize()
        expectEqual(device.gain, 0.5)
        try unit.start()
        try unit.setBufferFrames(256)
        expectEqual(device.gain, 0.25)
        unit.uninitialize()
    }
}
