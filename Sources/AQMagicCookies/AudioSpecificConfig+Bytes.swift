// SPDX-License-Identifier: MIT

public import CoreAudioTypes

extension AudioSpecificConfig {
    /// The bytes of the configuration for decoders, with extensions announced first (hierarchical
    /// signalling).
    public var bytes: [UInt8] {
        var writer = BitWriter()
        if let extensionObjectType {
            Self.write(objectType: extensionObjectType, to: &writer)
            Self.write(rate: sampleRate, to: &writer)
            writer.write(Int(channelConfiguration), 4)
            Self.write(rate: extensionSampleRate ?? sampleRate, to: &writer)
            Self.write(objectType: objectType, to: &writer)
        } else {
            Self.write(objectType: objectType, to: &writer)
            Self.write(rate: sampleRate, to: &writer)
            writer.write(Int(channelConfiguration), 4)
        }
        writer.write(framesPerPacket == 960)
        writer.write(coreCoderDelay != nil)
        if let coreCoderDelay { writer.write(coreCoderDelay, 14) }
        writer.write(false)
        if channelConfiguration == 0 { effectiveProgramConfig.write(to: &writer) }
        return writer.bytes
    }

    /// The format of the packets, with the extension if one is announced.
    ///
    /// The format ID is `kAudioFormatMPEG4AAC` for AAC, `…_HE` for HE-AAC and `…_HE_V2` for HE-AAC v2, whose mono core
    /// decodes to two channels. The rate and frames of the extensions include band replication, which usually doubles
    /// them. The flags of AAC are the object type.
    public var format: AudioStreamBasicDescription {
        let rate = extensionSampleRate ?? sampleRate
        let isDouble = extensionObjectType != nil && rate > sampleRate
        let id =
            switch extensionObjectType {
            case 5: kAudioFormatMPEG4AAC_HE
            case 29: kAudioFormatMPEG4AAC_HE_V2
            default: kAudioFormatMPEG4AAC
            }
        return AudioStreamBasicDescription(
            mSampleRate: Double(rate), mFormatID: id,
            mFormatFlags: extensionObjectType == nil ? UInt32(objectType) : 0,
            mBytesPerPacket: 0, mFramesPerPacket: UInt32(clamping: framesPerPacket) << (isDouble ? 1 : 0),
            mBytesPerFrame: 0,
            mChannelsPerFrame: extensionObjectType == 29 && channels == 1 ? 2 : UInt32(clamping: channels),
            mBitsPerChannel: 0, mReserved: 0)
    }

    /// The program config for channel configuration 0: ``programConfig``, or one made from ``channels``.
    var effectiveProgramConfig: ProgramConfigElement {
        programConfig
            ?? ProgramConfigElement(
                objectType: objectType,
                rateIndex: Self.sampleRates.firstIndex(of: sampleRate) ?? Self.explicitRateIndex,
                channels: channels)
    }

    private static func write(objectType: UInt8, to writer: inout BitWriter) {
        if objectType < 31 {
            writer.write(Int(objectType), 5)
        } else {
            writer.write(31, 5)
            writer.write(Int(objectType) - 32, 6)
        }
    }

    private static func write(rate: Int, to writer: inout BitWriter) {
        if let index = sampleRates.firstIndex(of: rate) {
            writer.write(index, 4)
        } else {
            writer.write(explicitRateIndex, 4)
            writer.write(rate, 24)
        }
    }
}
