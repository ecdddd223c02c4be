// SPDX-License-Identifier: MIT

/// The channels of an AAC stream, listed one by one because no channel configuration defines them.
///
/// Corresponds to `program_config_element()` of ISO/IEC 14496-3, 4.5.2.1.
public struct ProgramConfigElement: Sendable, Equatable {
    /// A channel or a channel pair in the bit stream.
    struct Element: Sendable, Equatable {
        /// Whether the element is a pair; for a coupling channel, whether it is switched independently.
        var isPair: Bool
        var tag: Int
    }

    private var tag = 0
    private var profile: Int
    private var rateIndex: Int
    /// The elements of each type, in the order of `kinds`.
    private var elements: [[Element]] = Array(repeating: [], count: Self.kinds.count)
    /// The tags of the elements with a mono and a stereo mixdown, and the parameters of a matrix mixdown.
    private var mixdowns: [Int?] = [nil, nil, nil]
    private var comment: [UInt8] = []

    /// The number of channels after decoding; 1 to 93.
    public var channels: Int {
        elements[..<3].joined().reduce(elements[3].count) { $0 + ($1.isPair ? 2 : 1) }
    }

    /// Makes an element whose channels are all in front: a single one first if the number is odd, then pairs.
    ///
    /// - Parameters:
    ///   - rateIndex: The sampling frequency index; 15 if the table has no such rate.
    ///   - channels: 1 to 30; other numbers are clamped.
    init(objectType: UInt8, rateIndex: Int, channels: Int) {
        let channels = min(max(channels, 1), 30)
        profile = Int(objectType &- 1) & 3
        self.rateIndex = rateIndex
        var pairs = 0
        if channels % 2 == 1, channels < 30 { elements[0].append(Element(isPair: false, tag: 0)) }
        while elements[0].count < 15, pairs < channels / 2 {
            elements[0].append(Element(isPair: true, tag: pairs))
            pairs += 1
        }
    }

    /// Reads an element without the three bits that announce it in a packet.
    init(from reader: inout BitReader) throws(MagicCookieError) {
        tag = try reader.read(4, "program config's instance tag")
        profile = try reader.read(2, "program config's profile")
        rateIndex = try reader.read(4, "program config's rate index")
        var counts: [Int] = []
        for kind in Self.kinds {
            counts.append(
                try reader.read(kind.countBits, "program config's count of \(kind.name) elements"))
        }
        for (index, bits) in Self.mixdownBits.enumerated() {
            guard try reader.readFlag("program config's mixdown flags") else { continue }
            mixdowns[index] = try reader.read(bits, "program config's mixdown")
        }
        for (index, kind) in Self.kinds.enumerated() {
            for _ in 0..<counts[index] {
                let isPair = kind.hasFlag ? try reader.readFlag("program config's elements") : false
                let tag = try reader.read(4, "program config's elements")
                elements[index].append(Element(isPair: isPair, tag: tag))
            }
        }
        reader.align()
        let commentBytes = try reader.read(8, "program config's comment length")
        for _ in 0..<commentBytes {
            comment.append(UInt8(try reader.read(8, "program config's comment")))
        }
        guard channels > 0 else { throw reader.failure("its program config names no channel") }
    }

    func write(to writer: inout BitWriter) {
        writer.write(tag, 4)
        writer.write(profile, 2)
        writer.write(rateIndex, 4)
        for (kind, elements) in zip(Self.kinds, elements) { writer.write(elements.count, kind.countBits) }
        for (mixdown, bits) in zip(mixdowns, Self.mixdownBits) {
            writer.write(mixdown != nil)
            if let mixdown { writer.write(mixdown, bits) }
        }
        for (kind, elements) in zip(Self.kinds, elements) {
            for element in elements {
                if kind.hasFlag { writer.write(element.isPair) }
                writer.write(element.tag, 4)
            }
        }
        writer.align()
        writer.write(comment.count, 8)
        for byte in comment { writer.write(Int(byte), 8) }
    }

    /// The types of elements in the order of the bit stream, channels first.
    private static let kinds: [(name: String, countBits: Int, hasFlag: Bool)] = [
        ("front", 4, true), ("side", 4, true), ("back", 4, true), ("low-frequency", 2, false),
        ("data", 3, false), ("coupling", 4, true),
    ]
    private static let mixdownBits = [4, 4, 3]
}
