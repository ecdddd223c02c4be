// SPDX-License-Identifier: MIT

/// The audio of a transport stream, as its tables state.
package enum TransportStreamAudio: Equatable, Sendable {
    /// The tables have not arrived.
    case undetermined
    /// MPEG-1 or MPEG-2 audio (types 0x03 and 0x04).
    case mpegAudio
    /// AAC with ADTS headers (type 0x0F).
    case adts
    /// Audio that cannot be separated, by its stream type.
    case unsupported(type: UInt8)
    /// The program has no audio.
    case none

    /// The name of audio that is not supported, for messages; nil for other cases.
    package var unsupportedName: String? {
        guard case .unsupported(let type) = self else { return nil }
        let number = "type 0x" + (type < 0x10 ? "0" : "") + String(type, radix: 16, uppercase: true)
        return Self.names[type].map { "\($0) (\(number))" } ?? "audio of \(number)"
    }

    init(type: UInt8) {
        switch type {
        case 0x03, 0x04: self = .mpegAudio
        case 0x0F: self = .adts
        default: self = .unsupported(type: type)
        }
    }

    var isSupported: Bool { self == .mpegAudio || self == .adts }

    /// The types of other audio.
    static let names: [UInt8: String] = [
        0x11: "AAC in LATM", 0x1C: "MPEG-4 audio", 0x2D: "MPEG-H audio", 0x2E: "MPEG-H audio", 0x81: "AC-3",
        0x82: "DTS", 0x83: "TrueHD", 0x84: "Enhanced AC-3", 0x87: "Enhanced AC-3", 0x8A: "DTS",
        0xC1: "encrypted AC-3", 0xC2: "encrypted Enhanced AC-3", 0xCF: "encrypted AAC",
    ]
}
