// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox

/// The value of a property, before it is copied to the client's memory.
///
/// One answer serves the function for the size, and the function for the value.
enum PropertyAnswer {
    /// One value, which is copied whole or not at all.
    case bytes([UInt8])
    /// Values of one size, of which as many are copied as fit.
    case list([UInt8], elementBytes: Int)
    /// A value with references to objects, which the client has to release; made only if the value fits.
    case references(byteCount: Int, make: () -> [UInt8])

    /// The value of a property that has only a result.
    static var nothing: PropertyAnswer { .bytes([]) }

    /// The value of a number or of a C struct.
    static func one<Value: BitwiseCopyable>(_ value: Value) -> PropertyAnswer { .bytes(bytes(of: value)) }

    /// The value of an array.
    static func many<Element: BitwiseCopyable>(_ elements: [Element]) -> PropertyAnswer {
        .list(
            unsafe elements.withUnsafeBytes { unsafe Array($0) }, elementBytes: MemoryLayout<Element>.stride)
    }

    /// A Boolean, as a `UInt32`.
    static func flag(_ isSet: Bool) -> PropertyAnswer { one(isSet ? 1 : 0 as UInt32) }

    /// A reference to an object; NULL if there is none.
    static func object(_ make: @escaping () -> AnyObject?) -> PropertyAnswer {
        .references(byteCount: MemoryLayout<UInt>.size) {
            bytes(of: make().map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) } ?? 0)
        }
    }

    /// A `CFStringRef`.
    static func text(_ text: String) -> PropertyAnswer { object { AudioFileObject.string(text) } }

    /// A `CFArrayRef` of strings.
    static func strings(_ strings: [String]) -> PropertyAnswer {
        object { AudioFileObject.array(strings.compactMap(AudioFileObject.string)) }
    }

    /// A `CFDictionaryRef` of tags by their keys; several with one key are joined.
    static func tags(_ tags: [AudioFileInformation]) -> PropertyAnswer {
        let values = Dictionary(tags.map { ($0.key, $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
        return object { AudioFileObject.dictionary(values.map { (key: $0.key, value: $0.value) }) }
    }

    var byteCount: Int {
        switch self {
        case .bytes(let bytes), .list(let bytes, _): bytes.count
        case .references(let byteCount, _): byteCount
        }
    }

    private static func bytes<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
        unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
    }
}
