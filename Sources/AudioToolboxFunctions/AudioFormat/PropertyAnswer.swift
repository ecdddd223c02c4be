import AudioFiles
import CAudioToolbox

/// The value of a property, before it is copied to the client's memory.
///
/// The same answer serves both functions: the one for its size, and the one for the value.
enum PropertyAnswer: Equatable {
    /// The property has no value; only the result counts.
    case nothing
    /// One value, which is copied whole or not at all.
    case bytes([UInt8])
    /// Values of one size, of which as many are copied as fit.
    case list([UInt8], elementBytes: Int)
    /// A `CFStringRef`.
    case text(String)
    /// A `CFDictionaryRef` of tags by their keys.
    case tags([AudioFileInformation])

    /// The value of a number or of a C struct.
    static func one<Value: BitwiseCopyable>(_ value: Value) -> PropertyAnswer {
        .bytes(unsafe withUnsafeBytes(of: value) { unsafe Array($0) })
    }

    /// The value of an array.
    static func many<Element: BitwiseCopyable>(_ elements: [Element]) -> PropertyAnswer {
        .list(
            unsafe elements.withUnsafeBytes { unsafe Array($0) }, elementBytes: MemoryLayout<Element>.stride)
    }

    /// A published Boolean.
    static func flag(_ isSet: Bool) -> PropertyAnswer { one(isSet ? 1 : 0 as UInt32) }

    /// The size of the value in bytes.
    var byteCount: Int {
        switch self {
        case .nothing: 0
        case .bytes(let bytes), .list(let bytes, _): bytes.count
        // A reference has the size of an address.
        case .text, .tags: MemoryLayout<UInt>.size
        }
    }
}
