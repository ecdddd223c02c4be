import AudioDevices
import CAudioToolbox
import CRealTime
import Glibc
import Testing

@testable import AudioToolboxFunctions

/// What a listener was told, awaited by the test.
private final class Told: Sendable {
    private let calls = Monitor<[[AudioObjectPropertySelector]]>([])

    func append(_ addresses: [AudioObjectPropertyAddress]) {
        calls.withLock { $0.append(addresses.map(\.mSelector)) }
        calls.notifyAll()
    }

    var all: [[AudioObjectPropertySelector]] { calls.withLock { $0 } }

    /// Waits until there were so many calls; false when that takes too long.
    func wait(for count: Int) -> Bool {
        calls.wait(until: aq_host_time() + 10_000_000_000) { $0.count < count }
    }
}

@Suite("Listeners of the hardware API") struct HardwareListenersTests {
    private static let before: [DeviceInfo] = [.test("a", isDefault: true), .test("b")]
    private static let after: [DeviceInfo] = [.test("a"), .test("b", isDefault: true)]

    private let table = TableHardware(sinks: HardwareListenersTests.before)
    private let told = Told()

    private func address(
        _ selector: AudioObjectPropertySelector,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(
            mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    }

    private func listener(
        to address: AudioObjectPropertyAddress, of object: HardwareObject = .system, key: UInt = 1,
        _ call: @escaping ([AudioObjectPropertyAddress]) -> Void
    ) -> HardwareListeners.Listener {
        HardwareListeners.Listener(
            object: object, objectID: kAudioObjectSystemObject, address: address,
            target: HardwareListenerTarget(HardwareListenerKey(key)) { _, addresses in call(addresses) })
    }

    private let defaultOutput = kAudioHardwarePropertyDefaultOutputDevice

    /// One answer after the other: a change that is not told of would be told of before the one that is.
    private func endOfTest(_ listeners: HardwareListeners) throws {
        let end = Told()
        try listeners.add(listener(to: address(kAudioHardwarePropertyDevices), key: 99) { end.append($0) })
        table.set(sinks: [.test("the last")])
        #expect(end.wait(for: 1))
    }

    @Test("another default output is told of once, to who listens to it") func defaultChanged() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(defaultOutput)) { told.append($0) })
        table.set(sinks: HardwareListenersTests.after)
        #expect(told.wait(for: 1))
        #expect(told.all == [[defaultOutput]])
    }

    @Test(
        "who listens in another scope of the system is told too",
        arguments: [
            kAudioObjectPropertyScopeOutput, kAudioObjectPropertyScopeWildcard,
        ])
    func anyScope(scope: AudioObjectPropertyScope) throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(defaultOutput, scope)) { told.append($0) })
        table.set(sinks: HardwareListenersTests.after)
        #expect(told.wait(for: 1))
    }

    @Test("a wildcard hears of everything that changes at once in one call") func wildcard() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(
            listener(to: address(kAudioObjectPropertySelectorWildcard)) { told.append($0) })
        table.set(sinks: HardwareListenersTests.after)
        #expect(told.wait(for: 1))
        #expect(told.all == [[defaultOutput, kAudioHardwarePropertyDefaultSystemOutputDevice]])
    }

    @Test("who listens to a device hears that it is gone") func deviceGone() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(
            listener(to: address(kAudioDevicePropertyDeviceIsAlive), of: .device(uid: "b")) {
                told.append($0)
            })
        table.set(sinks: [.test("a", isDefault: true)])
        #expect(told.wait(for: 1))
    }

    @Test("a server that ends takes its devices along, and brings them back") func serverEnds() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(kAudioHardwarePropertyDevices)) { told.append($0) })
        table.fail(DeviceError(.noServer, "no sound server answers"))
        #expect(told.wait(for: 1))
        table.set(sinks: HardwareListenersTests.before)
        #expect(told.wait(for: 2))
    }

    @Test("who was removed is told no more, and who listens to something else never was")
    func removed() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(defaultOutput)) { told.append($0) })
        try listeners.add(
            listener(to: address(kAudioHardwarePropertyDefaultInputDevice), key: 2) { told.append($0) })
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        table.set(sinks: HardwareListenersTests.after)
        try endOfTest(listeners)
        #expect(told.all.isEmpty)
    }

    @Test("a listener that removes itself when it is called is called once") func removesItself() throws {
        let listeners = HardwareListeners(source: table)
        let output = address(defaultOutput)
        try listeners.add(
            listener(to: output) { [told] changed in
                #expect(throws: Never.self) {
                    try listeners.remove(.system, output, HardwareListenerKey(1))
                }
                told.append(changed)
            })
        table.set(sinks: HardwareListenersTests.after)
        #expect(told.wait(for: 1))
        table.set(sinks: HardwareListenersTests.before)
        try endOfTest(listeners)
        #expect(told.all.count == 1)
    }

    @Test("a removal waits for the call that is under way, whose memory its client frees then")
    func removedInTheMidst() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(
            listener(to: address(defaultOutput)) { [told] changed in
                told.append(changed)
                usleep(100_000)
                told.append(changed)
            })
        table.set(sinks: HardwareListenersTests.after)
        #expect(told.wait(for: 1))
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        #expect(told.all.count == 2)
    }

    @Test("one that was added twice is told twice, and removed one at a time") func addedTwice() throws {
        let listeners = HardwareListeners(source: table)
        let twice = listener(to: address(defaultOutput)) { told.append($0) }
        try listeners.add(twice)
        try listeners.add(twice)
        table.set(sinks: HardwareListenersTests.after)
        #expect(told.wait(for: 2))
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        #expect(throws: StatusError(kAudioHardwareIllegalOperationError)) {
            try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        }
    }

    @Test("what changes while nobody listens is not told of to who comes after") func restart() throws {
        let listeners = HardwareListeners(source: table)
        try listeners.add(listener(to: address(defaultOutput)) { _ in })
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
        table.set(sinks: HardwareListenersTests.after)
        let end = Told()
        // The watch ends with the thread, which the removal has told.
        while table.isWatched { sched_yield() }
        try listeners.add(listener(to: address(defaultOutput)) { told.append($0) })
        try listeners.add(listener(to: address(kAudioHardwarePropertyDevices), key: 2) { end.append($0) })
        table.set(sinks: HardwareListenersTests.after + [.test("c")])
        #expect(end.wait(for: 1))
        #expect(told.all.isEmpty)
    }

    @Test("where nobody tells of changes they are looked for") func poll() throws {
        let silent = TableHardware(sinks: HardwareListenersTests.before, tellsChanges: false)
        let listeners = HardwareListeners(source: silent, pollNanoseconds: 1_000_000)
        try listeners.add(listener(to: address(defaultOutput)) { told.append($0) })
        silent.set(sinks: HardwareListenersTests.after)
        #expect(told.wait(for: 1))
        // Else it would be looked for as long as the tests run.
        try listeners.remove(.system, address(defaultOutput), HardwareListenerKey(1))
    }
}
