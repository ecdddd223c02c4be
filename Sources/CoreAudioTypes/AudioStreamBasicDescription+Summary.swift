// SPDX-License-Identifier: MIT

extension AudioStreamBasicDescription {
    /// The format in words, such as `44100 Hz, 2 ch, 16-bit little-endian signed integer` or `44100 Hz, 2 ch, MPEG
    /// layer 3, 1152 frames/packet`.
    public var summary: String {
        var parts = [
            mSampleRate == 0 ? "any rate" : "\(Self.text(of: mSampleRate)) Hz",
            mChannelsPerFrame == 0 ? "any channels" : "\(mChannelsPerFrame) ch",
            encodingSummary,
        ]
        if !isInterleaved { parts.append("non-interleaved") }
        if !isLinearPCM, mFramesPerPacket > 1 { parts.append("\(mFramesPerPacket) frames/packet") }
        if !isLinearPCM, !isG711, mBytesPerPacket > 0 { parts.append("\(mBytesPerPacket) bytes/packet") }
        return parts.joined(separator: ", ")
    }

    /// The encoding in words, without rate, channels and packets, such as `16-bit little-endian signed integer` or
    /// `MPEG layer 3`; for an unknown format, the four-character code.
    public var encodingSummary: String {
        if isLinearPCM { return linearPCMSummary }
        guard let name = Self.encodingNames[mFormatID] else {
            return FourCharacterCode(rawValue: mFormatID).description
        }
        guard mFormatID == kAudioFormatAppleLossless || mFormatID == kAudioFormatFLAC,
            let bits = Self.sourceBits[mFormatFlags]
        else { return name }
        return "\(name) of \(bits)-bit source"
    }

    private var linearPCMSummary: String {
        var text = "\(mBitsPerChannel)-bit"
        if let bytes = sampleContainerBytes, !isPacked {
            text +=
                " in \(bytes) \(bytes == 1 ? "byte" : "bytes"), aligned \(isAlignedHigh ? "high" : "low"),"
        }
        if sampleContainerBytes != 1 { text += isBigEndian ? " big-endian" : " little-endian" }
        if isFloat { return text + " float" }
        if fractionBits > 0 { text += " fixed-point (\(fractionBits) fraction bits)" }
        return text + (isSignedInteger ? " signed integer" : " unsigned integer")
    }

    private static func text(of rate: Double) -> String {
        Int(exactly: rate).map(String.init) ?? "\(rate)"
    }

    private static let sourceBits: [AudioFormatFlags: Int] = [
        kAppleLosslessFormatFlag_16BitSourceData: 16, kAppleLosslessFormatFlag_20BitSourceData: 20,
        kAppleLosslessFormatFlag_24BitSourceData: 24, kAppleLosslessFormatFlag_32BitSourceData: 32,
    ]

    private static let encodingNames: [AudioFormatID: String] = [
        kAudioFormatMPEGLayer1: "MPEG layer 1", kAudioFormatMPEGLayer2: "MPEG layer 2",
        kAudioFormatMPEGLayer3: "MPEG layer 3", kAudioFormatALaw: "G.711 A-law",
        kAudioFormatULaw: "G.711 µ-law",
        kAudioFormatMPEG4AAC: "AAC", kAudioFormatMPEG4AAC_HE: "HE-AAC",
        kAudioFormatMPEG4AAC_HE_V2: "HE-AAC v2",
        kAudioFormatMPEG4AAC_LD: "AAC-LD", kAudioFormatMPEG4AAC_ELD: "AAC-ELD",
        kAudioFormatMPEG4AAC_ELD_SBR: "AAC-ELD with SBR", kAudioFormatMPEG4AAC_ELD_V2: "AAC-ELD v2",
        kAudioFormatMPEGD_USAC: "USAC", kAudioFormatAppleLossless: "Apple Lossless", kAudioFormatFLAC: "FLAC",
        kAudioFormatOpus: "Opus", kAudioFormatAppleIMA4: "IMA 4:1 ADPCM",
        kAudioFormatDVIIntelIMA: "DVI/IMA ADPCM",
        kAudioFormatMicrosoftGSM: "Microsoft GSM 6.10", kAudioFormatAC3: "AC-3",
        kAudioFormatEnhancedAC3: "E-AC-3",
        kAudioFormatAMR: "AMR", kAudioFormatAMR_WB: "AMR-WB", kAudioFormatiLBC: "iLBC",
    ]
}
