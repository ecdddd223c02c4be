// SPDX-License-Identifier: MIT

extension AudioSpecificConfig {
    /// Reads a configuration; further bytes are ignored.
    ///
    /// Extensions are read at the beginning (hierarchical signalling) and at the end, where old decoders ignore them
    /// (backward-compatible signalling).
    ///
    /// - Throws: An error that names the wrong field, or the field and the bit where the bytes end.
    public init(bytes: some Collection<UInt8>) throws(MagicCookieError) {
        var reader = BitReader(Array(bytes), name: "the AudioSpecificConfig")
        var type = try Self.readObjectType(&reader)
        let rate = try Self.readRate(&reader, "sampling rate")
        let configuration = try reader.read(4, "channel configuration")
        var signalled: UInt8?
        var signalledRate: Int?
        if type == 5 || type == 29 {
            signalled = UInt8(type)
            signalledRate = try Self.readRate(&reader, "extension's sampling rate")
            type = try Self.readObjectType(&reader)
        }
        guard 1...4 ~= type else { throw reader.failure(Self.refusal(objectType: type)) }
        let isShort = try reader.readFlag("frame length flag")
        let delay = try reader.readFlag("core coder flag") ? reader.read(14, "core coder delay") : nil
        let hasExtensionFlag = try reader.readFlag("extension flag")
        var program: ProgramConfigElement?
        if configuration == 0 { program = try ProgramConfigElement(from: &reader) }
        let channelCount = program?.channels ?? Self.channelCounts[configuration]
        guard channelCount > 0 else {
            throw reader.failure("channel configuration \(configuration) is reserved")
        }
        if hasExtensionFlag, reader.bitsLeft > 0 { _ = try reader.read(1, "second extension flag") }
        self.init(
            objectType: UInt8(type), sampleRate: rate, channelConfiguration: UInt8(configuration),
            channels: channelCount, programConfig: program)
        framesPerPacket = isShort ? 960 : 1024
        coreCoderDelay = delay
        extensionObjectType = signalled
        extensionSampleRate = signalledRate
        if signalled == nil { try readTail(&reader) }
        if let extended = extensionSampleRate, extended != rate, extended != 2 * rate {
            throw reader.failure(
                "the extension's \(extended) Hz are neither the core's \(rate) Hz nor twice as many")
        }
    }

    /// Reads the extension at the end, which decoders of the core ignore.
    private mutating func readTail(_ reader: inout BitReader) throws(MagicCookieError) {
        guard reader.bitsLeft >= 16, try reader.read(11, "extension mark") == Self.replicationMark,
            try Self.readObjectType(&reader) == 5
        else { return }
        guard try reader.readFlag("band replication flag") else {
            exclusions.replication = true
            return
        }
        extensionObjectType = 5
        extensionSampleRate = try Self.readRate(&reader, "extension's sampling rate")
        guard reader.bitsLeft >= 12, try reader.read(11, "second extension mark") == Self.stereoMark else {
            return
        }
        guard try reader.readFlag("parametric stereo flag") else {
            exclusions.stereo = true
            return
        }
        extensionObjectType = 29
    }

    private static func readObjectType(_ reader: inout BitReader) throws(MagicCookieError) -> Int {
        let type = try reader.read(5, "object type")
        return type == 31 ? 32 + (try reader.read(6, "escaped object type")) : type
    }

    private static func readRate(_ reader: inout BitReader, _ field: String) throws(MagicCookieError) -> Int {
        let index = try reader.read(4, field)
        if index < sampleRates.count { return sampleRates[index] }
        guard index == explicitRateIndex else { throw reader.failure("rate index \(index) is reserved") }
        let rate = try reader.read(24, field)
        guard rate > 0 else { throw reader.failure("the \(field) is 0 Hz") }
        return rate
    }

    /// The marks of spectral band replication and of parametric stereo after the core's fields.
    static let replicationMark = 0x2B7
    static let stereoMark = 0x548
}
