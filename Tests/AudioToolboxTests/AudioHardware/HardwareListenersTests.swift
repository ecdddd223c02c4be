// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CAQRealTime
import Glibc
import Testing

@testable import AQToolboxFunctions

/// The calls of a listener, awaited by the test.
private final class Reported: Sendable {
    private let calls = Monitor<[[AudioObjectPropertySelector]]>([])

    func append(_ addresses: [AudioObjectPropertyAddress]) {
        calls.withLock { $0.append(addresses.map(\.mSelector)) }
        calls.notifyAll()
    }

    var all: [[AudioObjectPropertySelector]] { calls.withLock { $0 } }

    /// Waits for a number of calls; false on a timeout.
    func wait(for count: Int) -> Bool {
        calls.wait(until: aq_host_time() + 10_000_000_000) { $0.count < count }
    }
}

@Suite("Listeners of the hardware API") struct HardwareListenersTests {
    private static let before: [DeviceInfo] = [.test("a", isDefault: true), .test("b")]
    private static let after: [DeviceInfo] = [.test("a"), .test("b", isDefault: true)]

    private let table = TableHardware(sinks: HardwareListenersTests.before)
    private let reported = Reported()

    private func listener(
        to address: AudioObjectPropertyAddress, of object: HardwareObject = .system, key: UInt = 1,
        _ call: @escaping ([AudioObjectPropertyAddress]) -> Void
    ) -> HardwareListeners.Listener {
        HardwareListeners.Listener(
            object: object, objectID: kAudioObjectSystemObject, address: address,
            target: HardwareListenerTarget(HardwareListenerKey(key)) { _, addresses in call(addresses) })
    }

    private let defaultOutput = kAudioHardwarePropertyDefaultOutputDevice

    /// Answers are ordered: an unexpected event would come before the expected one.
    private func endOfTest(_ listeners: HardwareListeners) throws {
        let end = Reported()
        try listeners.add(listener(to: address(kAudioHardwarePropertyDevices), key: 99) { end.append($0) })
        table.set(sinks: [.test("the last")])
        #expect(end.wait(for: 1))
    }

    @Test("another default output is reported once, to its listeners") func defaultChanged() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(defaultOutput)) { reported.append($0) })
        table.set(sinks: HardwareListenersTests.after)
        #expect(reported.wait(for: 1))
        expectEqual(reported.all, [[defaultOutput]])
    }

    @Test(
        "listeners in another scope of the system are notified too",
        arguments: [
            kAudioObjectPropertyScopeOutput, kAudioObjectPropertyScopeWildcard,
        ])
    func anyScope(scope: AudioObjectPropertyScope) throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(defaultOutput, scope)) { reported.append($0) })
        table.set(sinks: HardwareListenersTests.after)
        #expect(reported.wait(for: 1))
    }

    @Test("a wildcard gets all simultaneous changes in one call") func wildcard() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(
            listener(to: address(kAudioObjectPropertySelectorWildcard)) { reported.append($0) })
        table.set(sinks: HardwareListenersTests.after)
        #expect(reported.wait(for: 1))
        expectEqual(reported.all, [[defaultOutput, kAudioHardwarePropertyDefaultSystemOutputDevice]])
    }

    @Test("a device's listeners are notified when it disappears") func deviceGone() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(
            listener(to: address(kAudioDevicePropertyDeviceIsAlive), of: .device(uid: "b")) {
                reported.append($0)
            })
        table.set(sinks: [.test("a", isDefault: true)])
        #expect(reported.wait(for: 1))
    }

    @Test("the devices disappear with their server, and return with it") func serverEnds() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(kAudioHardwarePropertyDevices)) { reported.append($0) })
        table.fail(DeviceError(.noServer, "no sound server answers"))
        #expect(reported.wait(for: 1))
        table.set(sinks: HardwareListenersTests.before)
        #expect(reported.wait(for: 2))
    }

    @Test("a removed listener is not notified any more, and listeners of other objects never are")
    func removed() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(defaultOutput)) { reported.append($0) })
        try listeners.add(
            listener(to: address(kAudioHardwarePropertyDefaultInputDevice), key: 2) { reported.append($0) })
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        table.set(sinks: HardwareListenersTests.after)
        try endOfTest(listeners)
        #expect(reported.all.isEmpty)
    }

    @Test("a listener that removes itself when it is called is called once") func removesItself() throws {
        let listeners = HardwareListeners(source: table)
        let output = address(defaultOutput)
        try listeners.add(
            listener(to: output) { [reported] changed in
                #expect(throws: Never.self) {
                    try listeners.remove(.system, output, HardwareListenerKey(1))
                }
                reported.append(changed)
            })
        table.set(sinks: HardwareListenersTests.after)
        #expect(reported.wait(for: 1))
        table.set(sinks: HardwareListenersTests.before)
        try endOfTest(listeners)
        expectEqual(reported.all.count, 1)
    }

    @Test("a removal waits for the running call, and its client can then free the memory")
    func removedInTheMidst() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(
            listener(to: address(defaultOutput)) { [reported] changed in
                reported.append(changed)
                usleep(100_000)
                reported.append(changed)
            })
        table.set(sinks: HardwareListenersTests.after)
        #expect(reported.wait(for: 1))
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        expectEqual(reported.all.count, 2)
    }

    @Test("a listener added twice is notified twice, and removed one at a time") func addedTwice() throws {
        let listeners = HardwareListeners(source: table)
        let twice = listener(to: address(defaultOutput)) { reported.append($0) }
        try listeners.add(twice)
        try listeners.add(twice)
        table.set(sinks: HardwareListenersTests.after)
        #expect(reported.wait(for: 2))
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        #expect(throws: StatusError(kAudioHardwareIllegalOperationError)) {
            try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        }
    }

    @Test("changes without listeners are not reported to later ones") func restart() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(defaultOutput)) { _ in })
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        table.set(sinks: HardwareListenersTests.after)
        let end = Reported()
        // The watch ends with the thread, which the removal has stopped.
        while table.isWatched { sched_yield() }
        try listeners.add(listener(to: address(defaultOutput)) { reported.append($0) })
        try listeners.add(listener(to: address(kAudioHardwarePropertyDevices), key: 2) { end.append($0) })
        table.set(sinks: HardwareListenersTests.after + [.test("c")])
        #expect(end.wait(for: 1))
        #expect(reported.all.isEmpty)
    }

    @Test("without events the devices are polled") func poll() throws {
        let silent = TableHardware(sinks: HardwareListenersTests.before, tellsChanges: false)
        let listeners = HardwareListeners(source: silent, pollNanoseconds: 1_000_000)
        try listeners.add(listener(to: address(defaultOutput)) { reported.append($0) })
        silent.set(sinks: HardwareListenersTests.after)
        #expect(reported.wait(for: 1))
        // Otherwise it would be polled as long as the tests run.
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
    }
}
