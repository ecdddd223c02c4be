// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The table of file types that can be read here; those that can also be written come first.
extension AudioFileKind {
    static let all: [AudioFileKind] = chunked + encoded + readOnly

    private static let samples = [kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw]

    private static let chunked: [AudioFileKind] = [
        AudioFileKind(
            type: kAudioFileWAVEType, name: "WAVE", extensions: ["wav", "wave"],
            typeIdentifiers: ["com.microsoft.waveform-audio"],
            mimeTypes: ["audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wave"],
            hfsCodes: codes("WAVE", ".WAV"), formatIDs: samples, writtenType: .wave),
        AudioFileKind(
            type: kAudioFileAIFFType, name: "AIFF", extensions: ["aiff", "aif"],
            typeIdentifiers: ["public.aiff-audio"], mimeTypes: ["audio/aiff", "audio/x-aiff"],
            hfsCodes: codes("AIFF"), formatIDs: [kAudioFormatLinearPCM], writtenType: .aiff),
        AudioFileKind(
            type: kAudioFileAIFCType, name: "AIFC", extensions: ["aifc", "aiff", "aif"],
            typeIdentifiers: ["public.aifc-audio"], mimeTypes: ["audio/aiff", "audio/x-aiff"],
            hfsCodes: codes("AIFC"), formatIDs: samples, writtenType: .aiffC),
        AudioFileKind(
            type: kAudioFileCAFType, name: "CAF", extensions: ["caf"],
            typeIdentifiers: ["com.apple.coreaudio-format"], mimeTypes: ["audio/x-caf"],
            hfsCodes: codes("caff"),
            formatIDs: [
                kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4,
                kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
                kAudioFormatAppleLossless, kAudioFormatMPEGLayer3, kAudioFormatMPEGLayer2,
                kAudioFormatMPEGLayer1,
            ],
            writtenType: .caf),
        AudioFileKind(
            type: kAudioFileRF64Type, name: "RF64", extensions: ["rf64", "wav"], typeIdentifiers: [],
            mimeTypes: [], hfsCodes: [], formatIDs: samples, writtenType: .rf64),
        AudioFileKind(
            type: kAudioFileWave64Type, name: "Wave64", extensions: ["w64"], typeIdentifiers: [],
            mimeTypes: [], hfsCodes: [], formatIDs: samples, writtenType: .wave64),
    ]

    private static let encoded: [AudioFileKind] = [
        AudioFileKind(
            type: kAudioFileM4AType, name: "Apple MPEG-4 Audio", extensions: ["m4a", "m4r"],
            typeIdentifiers: ["com.apple.m4a-audio", "public.mpeg-4-audio"],
            mimeTypes: ["audio/x-m4a", "audio/m4a", "audio/mp4"], hfsCodes: codes("M4A ", "mp4f"),
            formatIDs: mpeg4, writtenType: .m4a),
        AudioFileKind(
            type: kAudioFileMPEG4Type, name: "MPEG-4 Audio", extensions: ["mp4", "mpg4"],
            typeIdentifiers: ["public.mpeg-4-audio", "public.mpeg-4"],
            mimeTypes: ["audio/mp4", "video/mp4", "audio/mpeg4"], hfsCodes: codes("mp4f", "mpg4"),
            formatIDs: mpeg4, writtenType: .m4a),
        AudioFileKind(
            type: kAudioFileM4BType, name: "MPEG-4 Audio Book", extensions: ["m4b"],
            typeIdentifiers: ["public.mpeg-4-audio"], mimeTypes: ["audio/x-m4b", "audio/mp4"],
            hfsCodes: codes("M4B "), formatIDs: mpeg4, writtenType: .m4a),
        AudioFileKind(
            type: kAudioFileAAC_ADTSType, name: "AAC ADTS", extensions: ["aac", "adts"],
            typeIdentifiers: ["public.aac-audio"],
            mimeTypes: ["audio/aac", "audio/aacp", "audio/x-aac"], hfsCodes: codes("adts"),
            formatIDs: [kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2],
            writtenType: .adts),
        AudioFileKind(
            type: kAudioFileMP3Type, name: "MPEG Layer 3", extensions: ["mp3", "mpga"],
            typeIdentifiers: ["public.mp3"],
            mimeTypes: ["audio/mpeg", "audio/mp3", "audio/mpeg3", "audio/x-mpeg", "audio/x-mp3"],
            hfsCodes: codes("MPG3", "mpg3", "Mp3 ", "MP3 ", "mp3!"), formatIDs: [kAudioFormatMPEGLayer3],
            writtenType: .mp3),
    ]

    private static let readOnly: [AudioFileKind] = [
        AudioFileKind(
            type: kAudioFileMP2Type, name: "MPEG Layer 2", extensions: ["mp2", "mpa"],
            typeIdentifiers: ["public.mp2"], mimeTypes: ["audio/mpeg", "audio/x-mpeg"],
            hfsCodes: codes("MPG2"), formatIDs: [kAudioFormatMPEGLayer2]),
        AudioFileKind(
            type: kAudioFileMP1Type, name: "MPEG Layer 1", extensions: ["mp1"], typeIdentifiers: [],
            mimeTypes: ["audio/mpeg", "audio/x-mpeg"], hfsCodes: codes("MPG1"),
            formatIDs: [kAudioFormatMPEGLayer1]),
        // The engine decodes FLAC and Ogg while it reads, and encodes them while it writes.
        AudioFileKind(
            type: kAudioFileFLACType, name: "FLAC", extensions: ["flac"], typeIdentifiers: ["org.xiph.flac"],
            mimeTypes: ["audio/flac", "audio/x-flac"], hfsCodes: codes("flac"),
            formatIDs: [kAudioFormatLinearPCM], encodedTypes: [kAudioFormatFLAC: .flac]),
        AudioFileKind(
            type: kAudioFileOggType, name: "Ogg", extensions: ["ogg", "oga", "opus"],
            typeIdentifiers: ["org.xiph.ogg-audio"],
            mimeTypes: ["audio/ogg", "audio/opus", "application/ogg"],
            hfsCodes: codes("Oggf"), formatIDs: [kAudioFormatLinearPCM],
            encodedTypes: [kAudioFormatOpus: .oggOpus]),
        AudioFileKind(
            type: kAudioFileNextType, name: "NeXT/Sun", extensions: ["au", "snd"],
            typeIdentifiers: ["public.au-audio", "public.ulaw-audio"],
            mimeTypes: ["audio/basic", "audio/au", "audio/x-au"], hfsCodes: codes("NeXT", "ULAW"),
            formatIDs: samples),
        AudioFileKind(
            type: kAudioFileBW64Type, name: "BW64", extensions: ["bw64", "wav"], typeIdentifiers: [],
            mimeTypes: [], hfsCodes: [], formatIDs: [kAudioFormatLinearPCM]),
        AudioFileKind(
            type: kAudioFile3GPType, name: "3GPP Audio", extensions: ["3gp", "3gpp"],
            typeIdentifiers: ["public.3gpp"], mimeTypes: ["audio/3gpp", "video/3gpp"],
            hfsCodes: codes("3gpp"), formatIDs: mpeg4),
        AudioFileKind(
            type: kAudioFile3GP2Type, name: "3GPP-2 Audio", extensions: ["3g2", "3gp2"],
            typeIdentifiers: ["public.3gpp2"], mimeTypes: ["audio/3gpp2", "video/3gpp2"],
            hfsCodes: codes("3gp2"), formatIDs: mpeg4),
    ]

    private static let mpeg4 = [
        kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2, kAudioFormatAppleLossless,
    ]

    private static func codes(_ names: String...) -> [UInt32] {
        names.compactMap { FourCharacterCode($0)?.rawValue }
    }
}
