// SPDX-License-Identifier: MIT

import CAQDBus

/// A message of the bus, released with its owner.
@safe struct BusMessage: ~Copyable {
    // SAFETY: the message is valid until `deinit`, and used by one thread at a time.
    let pointer: OpaquePointer

    /// Takes the ownership of a message; nil if there is none.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe aq_bus_release(pointer) }

    static func call(_ destination: String, _ path: String, _ interface: String, _ method: String) -> Self? {
        unsafe BusMessage(aq_bus_new_call(destination, path, interface, method))
    }

    static func signal(_ path: String, _ interface: String, _ name: String) -> Self? {
        unsafe BusMessage(aq_bus_new_signal(path, interface, name))
    }

    /// A reply to this call; nil if there is no memory, as in ``failure(_:)``.
    func reply() -> BusMessage? { unsafe BusMessage(aq_bus_new_reply(pointer)) }

    func failure(_ failure: BusFailure) -> BusMessage? {
        unsafe BusMessage(
            aq_bus_new_error(pointer, "org.freedesktop.DBus.Error.\(failure.name.rawValue)", failure.text))
    }

    var wantsReply: Bool { unsafe aq_bus_wants_reply(pointer) }

    /// The contents of a call; nil for a message of another kind.
    var call: BusCall? {
        guard unsafe aq_bus_is_call(pointer), let path = unsafe text(aq_bus_path_of(pointer)),
            let member = unsafe text(aq_bus_member_of(pointer))
        else { return nil }
        return BusCall(
            path: path, interface: unsafe text(aq_bus_interface_of(pointer)), member: member,
            signature: unsafe text(aq_bus_signature_of(pointer)) ?? "", arguments: arguments)
    }

    /// The first arguments. No method has more than three.
    var arguments: [BusValue] {
        var values: [BusValue] = []
        var iterator = aq_bus_iterator()
        guard unsafe aq_bus_begin_read(pointer, &iterator) else { return [] }
        repeat {
            values.append(value(at: &iterator, isInVariant: false))
        } while unsafe values.count < 4 && aq_bus_advance(&iterator)
        return values
    }

    private func value(at iterator: inout aq_bus_iterator, isInVariant: Bool) -> BusValue {
        let type = unsafe aq_bus_type(rawValue: aq_bus_type_at(&iterator))
        // SAFETY: libdbus has checked the message, and each read is of the type at the iterator.
        switch type {
        case aq_bus_string, aq_bus_path:
            var pointer: UnsafePointer<CChar>?
            unsafe aq_bus_read(&iterator, &pointer)
            let string = unsafe text(pointer) ?? ""
            return type == aq_bus_string ? .string(string) : .objectPath(string)
        case aq_bus_boolean:
            var number: UInt32 = 0
            unsafe aq_bus_read(&iterator, &number)
            return .boolean(number != 0)
        case aq_bus_int32:
            var number: Int32 = 0
            unsafe aq_bus_read(&iterator, &number)
            return .int32(number)
        case aq_bus_uint32:
            var number: UInt32 = 0
            unsafe aq_bus_read(&iterator, &number)
            return .uint32(number)
        case aq_bus_int64:
            var number: Int64 = 0
            unsafe aq_bus_read(&iterator, &number)
            return .int64(number)
        case aq_bus_double:
            var number = 0.0
            unsafe aq_bus_read(&iterator, &number)
            return .double(number)
        case aq_bus_variant where !isInVariant:
            var inner = aq_bus_iterator()
            unsafe aq_bus_enter(&iterator, &inner)
            return .variant(value(at: &inner, isInVariant: true))
        default: return .other
        }
    }

    private func text(_ string: UnsafePointer<CChar>?) -> String? {
        guard let string = unsafe string else { return nil }
        return unsafe String(cString: string)
    }
}
