// SPDX-License-Identifier: MIT

/// A value of a message, of the types that the interfaces of a player use.
enum BusValue: Equatable, Sendable {
    case string(String)
    case objectPath(String)
    case boolean(Bool)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case double(Double)
    case strings([String])
    /// A dictionary of variants.
    case dictionary([String: BusValue])
    indirect case variant(BusValue)
    /// A received value of any other type.
    case other

    /// The type in the notation of D-Bus.
    var signature: String {
        switch self {
        case .string: "s"
        case .objectPath: "o"
        case .boolean: "b"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .double: "d"
        case .strings: "as"
        case .dictionary: "a{sv}"
        case .variant: "v"
        case .other: ""
        }
    }
}

/// The call of a method.
struct BusCall: Equatable {
    var path: String
    /// The interface, which a caller may omit.
    var interface: String?
    var member: String
    /// The types of the arguments, in the notation of D-Bus.
    var signature = ""
    var arguments: [BusValue] = []
}

/// An error that a caller receives.
struct BusFailure: Error, Equatable {
    enum Name: String {
        case unknownObject = "UnknownObject"
        case unknownInterface = "UnknownInterface"
        case unknownMethod = "UnknownMethod"
        case unknownProperty = "UnknownProperty"
        case propertyReadOnly = "PropertyReadOnly"
        case invalidArguments = "InvalidArgs"
        case notSupported = "NotSupported"
        case fileNotFound = "FileNotFound"
        case limitsExceeded = "LimitsExceeded"
    }

    var name: Name
    var text: String

    init(_ name: Name, _ text: String) {
        self.name = name
        self.text = text
    }
}
