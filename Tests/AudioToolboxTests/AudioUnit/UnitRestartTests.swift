// SPDX-License-Identifier: MIT

import AudioDevices
import AudioUnits
import Synchronization
import Testing

@Suite("A running unit whose settings change") struct UnitRestartTests {
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
        #expect(changes.withLock { $0 } == [])
        unit.uninitialize()
    }
}
