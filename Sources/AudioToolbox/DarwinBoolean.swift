// SPDX-License-Identifier: MIT

/// The Boolean of C programs: a byte, which functions write through a pointer.
///
/// On Apple's systems the functions that return a Boolean take a pointer to this type. On Linux the C type is `bool`,
/// which Swift imports as `Bool`, so that `var writable: DarwinBoolean = false` with `&writable` would not compile.
/// This type, and functions declared with it, make such code compile.
public struct DarwinBoolean: Sendable {
    // A byte, not a `Bool`, because a C program may store any value in the memory.
    private var byte: UInt8

    /// Makes the C form of a `Bool`.
    public init(_ value: Bool) { byte = value ? 1 : 0 }

    /// The value as a `Bool`.
    public var boolValue: Bool { byte != 0 }
}

extension DarwinBoolean: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self.init(value) }
}

extension DarwinBoolean: Equatable {
    public static func == (left: DarwinBoolean, right: DarwinBoolean) -> Bool {
        left.boolValue == right.boolValue
    }
}

extension DarwinBoolean: CustomStringConvertible, CustomReflectable {
    public var description: String { boolValue.description }
    public var customMirror: Mirror { Mirror(reflecting: boolValue) }
}

/// Calls a function that writes a C `bool` for a caller that passes a ``DarwinBoolean``.
///
/// - Parameters:
///   - result: The caller's variable; nil is passed on to the function.
///   - call: The call of the function; the Boolean is copied only if the result is `noErr`.
func withBoolean(
    _ result: UnsafeMutablePointer<DarwinBoolean>?, _ call: (UnsafeMutablePointer<Bool>?) -> OSStatus
) -> OSStatus {
    guard let result = unsafe result else { return call(nil) }
    var value = false
    let status = unsafe call(&value)
    if status == noErr { unsafe result.pointee = DarwinBoolean(value) }
    return status
}
