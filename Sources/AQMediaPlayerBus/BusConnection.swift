// SPDX-License-Identifier: MIT

import CAQDBus

/// A connection to a message bus, closed with its owner. Used by one thread at a time.
@safe struct BusConnection: ~Copyable {
    // SAFETY: the connection is valid until `deinit`.
    private let bus: OpaquePointer

    private static let milliseconds: Int32 = 1000

    /// Connects and registers, within two seconds; nil if libdbus is missing, or no bus answers.
    init?(address: String) {
        guard let bus = unsafe aq_bus_open(address, Self.milliseconds) else { return nil }
        unsafe self.bus = bus
    }

    deinit { unsafe aq_bus_close(bus) }

    /// The descriptor for `poll`; -1 if the bus has disconnected.
    var descriptor: Int32 { unsafe aq_bus_descriptor(bus) }

    /// Whether messages wait to be written.
    var hasOutput: Bool { unsafe aq_bus_has_output(bus) }

    /// Reads and writes without waiting. Returns false if the bus has disconnected.
    func transfer() -> Bool { unsafe aq_bus_transfer(bus) }

    /// The next message that was read.
    func next() -> BusMessage? { unsafe BusMessage(aq_bus_next(bus)) }

    /// Queues a message. If there is no memory, it is dropped.
    func send(_ message: borrowing BusMessage) { unsafe _ = aq_bus_send(bus, message.pointer) }

    /// Requests a name. Returns false if another program has it, or the bus does not answer.
    func takeName(_ name: String) -> Bool {
        guard let call = BusMessage.call(Self.service, "/org/freedesktop/DBus", Self.service, "RequestName"),
            call.append([.string(name), .uint32(Self.doNotQueue)])
        else { return false }
        var errorName = [CChar](repeating: 0, count: Int(aq_bus_name_bytes))
        let reply = unsafe BusMessage(aq_bus_call(bus, call.pointer, Self.milliseconds, &errorName))
        guard let reply else { return false }
        return reply.arguments == [.uint32(Self.primaryOwner)]
    }

    private static let service = "org.freedesktop.DBus"
    /// The flag with which a request fails at once if the name is taken.
    private static let doNotQueue: UInt32 = 4
    /// The answer that the name is now that of this connection.
    private static let primaryOwner: UInt32 = 1
}
