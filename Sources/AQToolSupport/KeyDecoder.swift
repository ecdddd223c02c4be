// SPDX-License-Identifier: MIT

/// Decodes the bytes of a terminal into keys, one byte at a time.
///
/// Sequences may arrive in pieces. Only time distinguishes a lone Escape from the beginning of a sequence:
/// while ``isPending``, call ``timeOut()`` after about 50 ms without a byte.
public struct KeyDecoder: Sendable {
    private enum State: Equatable {
        case ground
        case escape
        /// The state after `ESC [`: the first parameter, and the number of bytes.
        case sequence(parameter: Int, length: Int)
        /// The state after `ESC O`, which terminals in application mode send.
        case singleShift
        case utf8(value: UInt32, missing: Int)
    }

    /// The length of the longest sequence that a terminal sends. A longer one is invalid.
    private static let longestSequence = 32

    private var state = State.ground

    public init() {}

    /// Whether a sequence has begun and not ended.
    public var isPending: Bool { state != .ground }

    /// Takes the next byte. Returns the key that this byte completes, or nil.
    public mutating func decode(_ byte: UInt8) -> Key? {
        if byte == 0x1B {
            let wasEscape = state == .escape
            state = .escape
            return wasEscape ? .escape : nil
        }
        switch state {
        case .ground: return decodeFirst(byte)
        case .escape: return decodeAfterEscape(byte)
        case .singleShift:
            state = .ground
            return Self.cursorKey(byte)
        case .sequence(let parameter, let length):
            return decodeSequence(byte, parameter, length)
        case .utf8(let value, let missing):
            return decodeContinuation(byte, value, missing)
        }
    }

    /// Ends an incomplete sequence: a lone Escape is the key of that name.
    public mutating func timeOut() -> Key? {
        defer { state = .ground }
        return state == .escape ? .escape : nil
    }

    private mutating func decodeFirst(_ byte: UInt8) -> Key? {
        state = .ground
        switch byte {
        case 0x00...0x7F: return .character(Character(Unicode.Scalar(byte)))
        case 0xC2...0xDF: state = .utf8(value: UInt32(byte & 0x1F), missing: 1)
        case 0xE0...0xEF: state = .utf8(value: UInt32(byte & 0x0F), missing: 2)
        case 0xF0...0xF4: state = .utf8(value: UInt32(byte & 0x07), missing: 3)
        default: break
        }
        return nil
    }

    private mutating func decodeAfterEscape(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "["): state = .sequence(parameter: 0, length: 0)
        case UInt8(ascii: "O"): state = .singleShift
        // A key with Alt has no meaning here, and must not act as the key alone.
        default: state = .ground
        }
        return nil
    }

    private mutating func decodeSequence(_ byte: UInt8, _ parameter: Int, _ length: Int) -> Key? {
        guard byte >= 0x20, byte < 0x7F, length < Self.longestSequence else {
            return decodeFirst(byte)
        }
        // Parameters and intermediate bytes continue a sequence, any other byte ends it (ECMA-48, 5.4).
        if byte < 0x40 {
            let isFirstParameterDigit =
                byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") && parameter >= 0
            if isFirstParameterDigit {
                let next = min(parameter * 10 + Int(byte - UInt8(ascii: "0")), 999)
                state = .sequence(parameter: next, length: length + 1)
            } else {
                state = .sequence(parameter: parameter > 0 ? -parameter : parameter, length: length + 1)
            }
            return nil
        }
        state = .ground
        guard byte == UInt8(ascii: "~") else { return Self.cursorKey(byte) }
        switch abs(parameter) {
        case 1, 7: return .home
        case 4, 8: return .end
        case 5: return .pageUp
        case 6: return .pageDown
        default: return nil
        }
    }

    private mutating func decodeContinuation(_ byte: UInt8, _ value: UInt32, _ missing: Int) -> Key? {
        guard byte & 0xC0 == 0x80 else { return decodeFirst(byte) }
        let value = value << 6 | UInt32(byte & 0x3F)
        if missing > 1 {
            state = .utf8(value: value, missing: missing - 1)
            return nil
        }
        state = .ground
        return Unicode.Scalar(value).map { .character(Character($0)) }
    }

    private static func cursorKey(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        default: nil
        }
    }
}
