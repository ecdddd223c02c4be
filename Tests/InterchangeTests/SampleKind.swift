// SPDX-License-Identifier: MIT

/// A sample format: its name for `--data`, and the values it can hold.
enum SampleKind: String, CaseIterable, Sendable {
    case unsigned8 = "UI8"
    case signed8 = "I8"
    case integer16 = "I16"
    case bigEndian16 = "BEI16"
    case littleEndian16 = "LEI16"
    case integer24 = "I24"
    case bigEndian24 = "BEI24"
    case integer32 = "I32"
    case float32 = "F32"
    case bigEndianFloat32 = "BEF32"
    case float64 = "F64"

    var bits: Int {
        switch self {
        case .unsigned8, .signed8: 8
        case .integer16, .bigEndian16, .littleEndian16: 16
        case .integer24, .bigEndian24: 24
        case .integer32, .float32, .bigEndianFloat32: 32
        case .float64: 64
        }
    }

    var isFloat: Bool { self == .float32 || self == .bigEndianFloat32 || self == .float64 }

    /// Values that this format represents exactly.
    func exact(_ samples: [Double]) -> [Double] {
        if self == .float64 { return samples }
        if isFloat { return samples.map { Double(Float($0)) } }
        let scale = Double(1 << (bits - 1))
        // Integers have no negative zero; adding zero makes it positive.
        return samples.map { ($0 * scale).rounded() / scale + 0 }
    }
}
