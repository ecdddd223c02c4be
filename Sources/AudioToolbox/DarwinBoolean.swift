/// A truth value as C programs keep it in a byte, to which functions write by a pointer.
///
/// The functions that report a truth value take a pointer to this type where the programs come from. On Linux the
/// type of C is `bool`, which Swift takes for its own `Bool`, so that `var writable: DarwinBoolean = false` with
/// `&writable` would not compile: this type, and functions declared with it, let it.
public struct DarwinBoolean: Sendable {
    // A byte, not a `Bool`: whatever is in memory that a program gives is a value.
    private var byte: UInt8

    /// The same value.
    public init(_ value: Bool) { byte = value ? 1 : 0 }

    /// The value as Swift's own type.
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

/// Calls a function that writes a `bool` of C where its caller keeps a ``DarwinBoolean``.
///
/// - Parameters:
///   - result: Where the caller wants the value; nil if it does not, which the function is told.
///   - call: Returns what the function returns. What it wrote is handed on only with `noErr`.
func withBoolean(
    _ result: UnsafeMutablePointer<DarwinBoolean>?, _ call: (UnsafeMutablePointer<Bool>?) -> OSStatus
) -> OSStatus {
    guard let result = unsafe result else { return call(nil) }
    var value = false
    let status = unsafe call(&value)
    if status == noErr { unsafe result.pointee = DarwinBoolean(value) }
    return status
}
