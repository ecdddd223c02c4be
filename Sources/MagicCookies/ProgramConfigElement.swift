/// The channels of a stream of AAC, one by one, where no channel configuration defines them.
///
/// Corresponds to `program_config_element()` of ISO/IEC 14496-3, 4.5.2.1.
public struct ProgramConfigElement: Sendable, Equatable {
    /// A channel, or a pair of them, in the bit stream.
    struct Element: Sendable, Equatable {
        /// Whether a coupling channel is switched independently.
        var isPair: Bool
        var tag: Int
    }

    private var tag = 0
    private var profile: Int
    private var rateIndex: Int
    private var front: [Element] = []
    private var side: [Element] = []
    private var back: [Element] = []
    private var lowFrequency: [Element] = []
    private var data: [Element] = []
    private var coupling: [Element] = []
    private var monoMixdown: Int?
    private var stereoMixdown: Int?
    private var matrixMixdown: Int?
    private var comment: [UInt8] = []

    /// The number of channels that decoding gives; 0 to 93.
    public var channels: Int {
        (front + side + back).reduce(lowFrequency.count) { $0 + ($1.isPair ? 2 : 1) }
    }

    /// Makes an element of channels that are all in front: one if the number is odd, then pairs.
    ///
    /// - Parameters:
    ///   - rateIndex: The sampling frequency index; 15 if the table has no such rate.
    ///   - channels: 1 to 30; other numbers are brought into that range.
    init(objectType: UInt8, rateIndex: Int, channels: Int) {
        let channels = min(max(channels, 1), 30)
        profile = Int(objectType &- 1) & 3
        self.rateIndex = rateIndex
        var pairs = 0
        if channels % 2 == 1, channels < 30 { front.append(Element(isPair: false, tag: 0)) }
        while front.count < 15, pairs < channels / 2 {
            front.append(Element(isPair: true, tag: pairs))
            pairs += 1
        }
    }

    /// Reads an element without the three bits that announce it in a packet.
    init(from reader: inout BitReader) throws(MagicCookieError) {
        tag = try reader.read(4, "program config's instance tag")
        profile = try reader.read(2, "program config's profile")
        rateIndex = try reader.read(4, "program config's rate index")
        let frontCount = try reader.read(4, "program config's count of front elements")
        let sideCount = try reader.read(4, "program config's count of side elements")
        let backCount = try reader.read(4, "program config's count of back elements")
        let lowFrequencyCount = try reader.read(2, "program config's count of low-frequency elements")
        let dataCount = try reader.read(3, "program config's count of data elements")
        let couplingCount = try reader.read(4, "program config's count of coupling elements")
        monoMixdown = try Self.readOptional(4, from: &reader)
        stereoMixdown = try Self.readOptional(4, from: &reader)
        matrixMixdown = try Self.readOptional(3, from: &reader)
        front = try Self.readElements(frontCount, hasFlag: true, from: &reader)
        side = try Self.readElements(sideCount, hasFlag: true, from: &reader)
        back = try Self.readElements(backCount, hasFlag: true, from: &reader)
        lowFrequency = try Self.readElements(lowFrequencyCount, hasFlag: false, from: &reader)
        data = try Self.readElements(dataCount, hasFlag: false, from: &reader)
        coupling = try Self.readElements(couplingCount, hasFlag: true, from: &reader)
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
        writer.write(front.count, 4)
        writer.write(side.count, 4)
        writer.write(back.count, 4)
        writer.write(lowFrequency.count, 2)
        writer.write(data.count, 3)
        writer.write(coupling.count, 4)
        for (value, bits) in [(monoMixdown, 4), (stereoMixdown, 4), (matrixMixdown, 3)] {
            writer.write(value != nil)
            if let value { writer.write(value, bits) }
        }
        for element in front + side + back {
            writer.write(element.isPair)
            writer.write(element.tag, 4)
        }
        for element in lowFrequency + data { writer.write(element.tag, 4) }
        for element in coupling {
            writer.write(element.isPair)
            writer.write(element.tag, 4)
        }
        writer.align()
        writer.write(comment.count, 8)
        for byte in comment { writer.write(Int(byte), 8) }
    }

    private static func readOptional(
        _ bits: Int, from reader: inout BitReader
    ) throws(MagicCookieError) -> Int? {
        guard try reader.readFlag("program config's mixdown flags") else { return nil }
        return try reader.read(bits, "program config's mixdown")
    }

    private static func readElements(
        _ count: Int, hasFlag: Bool, from reader: inout BitReader
    ) throws(MagicCookieError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<count {
            let isPair = hasFlag ? try reader.readFlag("program config's elements") : false
            elements.append(Element(isPair: isPair, tag: try reader.read(4, "program config's elements")))
        }
        return elements
    }
}
