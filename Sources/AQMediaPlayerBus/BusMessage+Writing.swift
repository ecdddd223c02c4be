// SPDX-License-Identifier: MIT

import CAQDBus

/// Appending arguments.
extension BusMessage {
    /// Appends arguments. Returns false if there is no memory; the message must not be sent then.
    func append(_ values: [BusValue]) -> Bool {
        var iterator = aq_bus_iterator()
        unsafe aq_bus_begin_append(pointer, &iterator)
        for value in values {
            guard append(value, &iterator) else { return false }
        }
        return true
    }

    private func append(_ value: BusValue, _ iterator: inout aq_bus_iterator) -> Bool {
        // SAFETY: each value is of the given type, and lives during the call. A Swift string is valid UTF-8.
        switch value {
        case .string(let text): return append(text, aq_bus_string, &iterator)
        case .objectPath(let path): return append(path, aq_bus_path, &iterator)
        case .boolean(let flag):
            var number: UInt32 = flag ? 1 : 0
            return unsafe aq_bus_append(&iterator, aq_bus_boolean, &number)
        case .int32(var number):
            return unsafe aq_bus_append(&iterator, aq_bus_int32, &number)
        case .uint32(var number):
            return unsafe aq_bus_append(&iterator, aq_bus_uint32, &number)
        case .int64(var number):
            return unsafe aq_bus_append(&iterator, aq_bus_int64, &number)
        case .double(var number):
            return unsafe aq_bus_append(&iterator, aq_bus_double, &number)
        case .strings(let texts):
            return appendContainer(aq_bus_array, of: "s", &iterator) { inner in
                for text in texts {
                    guard append(text, aq_bus_string, &inner) else { return false }
                }
                return true
            }
        case .dictionary(let entries):
            return appendContainer(aq_bus_array, of: "{sv}", &iterator) { inner in
                for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                    let isAppended = appendContainer(aq_bus_entry, of: nil, &inner) { entry in
                        guard append(key, aq_bus_string, &entry) else { return false }
                        return append(.variant(value), &entry)
                    }
                    guard isAppended else { return false }
                }
                return true
            }
        case .variant(let value):
            return appendContainer(aq_bus_variant, of: value.signature, &iterator) { inner in
                append(value, &inner)
            }
        case .other: return false
        }
    }

    private func append(_ text: String, _ type: aq_bus_type, _ iterator: inout aq_bus_iterator) -> Bool {
        unsafe text.withCString { string in
            var string: UnsafePointer<CChar>? = unsafe string
            return unsafe aq_bus_append(&iterator, type, &string)
        }
    }

    private func appendContainer(
        _ type: aq_bus_type, of signature: String?, _ outer: inout aq_bus_iterator,
        _ appendContents: (inout aq_bus_iterator) -> Bool
    ) -> Bool {
        var inner = aq_bus_iterator()
        guard unsafe aq_bus_open_container(&outer, type, signature, &inner) else {
            return false
        }
        guard appendContents(&inner) else {
            unsafe aq_bus_abandon_container(&outer, &inner)
            return false
        }
        return unsafe aq_bus_close_container(&outer, &inner)
    }
}
