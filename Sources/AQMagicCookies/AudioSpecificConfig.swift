// SPDX-License-Identifier: MIT

/// The parameters that an AAC decoder needs before the first packet.
///
/// Fields are not checked when they are set. ``bytes`` is defined only for the values that the fields document; other
/// values do not trap.
///
/// Corresponds to `AudioSpecificConfig()` of ISO/IEC 14496-3, 1.6.2.1.
public struct AudioSpecificConfig: Sendable, Equatable {
    /// The object type of the core, also if spectral band replication extends it: 1 is Main, 2 low complexity
    /// (LC), 3 scalable sampling rate, 4 long-term prediction.
    public var objectType: UInt8
    /// Frames per second of the core.
    public var sampleRate: Int
    /// The channel configuration of the core; 0 if ``programConfig`` defines the channels.
    public var channelConfiguration: UInt8
    /// The number of channels of the core.
    public var channels: Int
    /// The number of frames of the core in a packet: 1024, or 960.
    public var framesPerPacket: Int
    /// The object type of the core's extension: 5 is spectral band replication (HE-AAC); 29 adds parametric stereo
    /// (HE-AAC v2). Nil if none is announced, though packets may have one.
    public var extensionObjectType: UInt8?
    /// Frames per second with the extension; nil if there is none.
    public var extensionSampleRate: Int?
    /// The description of each channel, if no channel configuration fits; otherwise nil.
    public var programConfig: ProgramConfigElement?
    /// The extensions that the parsed bits rule out.
    var exclusions = Exclusions()
    /// The delay, in frames, of the scalable core coder that this core depends on; nil if there is none.
    var coreCoderDelay: Int?

    /// The extensions that decoders must not search for. Configurations that differ only in their exclusions are equal.
    struct Exclusions: Sendable, Equatable {
        var replication = false
        var stereo = false

        static func == (first: Exclusions, second: Exclusions) -> Bool { true }
    }

    /// Makes a configuration without extension, with 1024 frames in a packet.
    ///
    /// - Parameters:
    ///   - objectType: 1 to 4.
    ///   - sampleRate: 1 to 16,777,215 Hz; a rate that is not in the table is written in full.
    ///   - channels: 1 to 8.
    /// - Throws: An error that names the value that is out of range.
    public init(objectType: UInt8 = 2, sampleRate: Int, channels: Int) throws(MagicCookieError) {
        func failure(_ reason: String) -> MagicCookieError {
            MagicCookieError("cannot make an AudioSpecificConfig: \(reason)")
        }
        guard 1...4 ~= objectType else { throw failure(Self.refusal(objectType: Int(objectType))) }
        guard 1...0xFF_FFFF ~= sampleRate else {
            throw failure("\(sampleRate) Hz is not a rate from 1 to 16777215")
        }
        guard let configuration = Self.configuration(channels: channels) else {
            throw failure("AAC has 1 to 8 channels, not \(channels)")
        }
        self.objectType = objectType
        self.sampleRate = sampleRate
        self.channels = channels
        channelConfiguration = configuration
        framesPerPacket = 1024
    }

    /// Makes a configuration from checked fields.
    init(
        objectType: UInt8, sampleRate: Int, channelConfiguration: UInt8, channels: Int,
        programConfig: ProgramConfigElement?
    ) {
        self.objectType = objectType
        self.sampleRate = sampleRate
        self.channelConfiguration = channelConfiguration
        self.channels = channels
        self.programConfig = programConfig
        framesPerPacket = 1024
    }

    /// The sampling rates that have an index (ISO/IEC 14496-3, table 1.18).
    static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    /// The index that announces a rate written in 24 bits.
    static let explicitRateIndex = 15

    /// The channel count of each channel configuration (table 1.19); 0 if the configuration defines none.
    static let channelCounts = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8, 0]

    /// The channel configuration for a number of channels in AAC's usual order; nil if there is none.
    static func configuration(channels: Int) -> UInt8? {
        switch channels {
        case 1...6: UInt8(channels)
        case 7: 11
        case 8: 7
        default: nil
        }
    }

    /// The reason why an object type is not supported.
    static func refusal(objectType: Int) -> String {
        let names = [
            0: "nothing", 5: "HE-AAC within HE-AAC", 6: "scalable AAC", 7: "TwinVQ", 8: "CELP", 9: "HVXC",
            17: "error-resilient AAC-LC", 19: "error-resilient AAC-LTP", 20: "error-resilient scalable AAC",
            22: "BSAC", 23: "AAC-LD", 29: "HE-AAC v2 within HE-AAC", 32: "MPEG audio layer I",
            33: "MPEG audio layer II", 34: "MPEG audio layer III", 36: "MPEG-4 ALS", 37: "MPEG-4 SLS",
            39: "AAC-ELD", 42: "USAC (xHE-AAC)",
        ]
        let name = names[objectType].map { " (\($0))" } ?? ""
        return "object type \(objectType)\(name) is not AAC Main, LC, SSR or LTP"
    }
}
