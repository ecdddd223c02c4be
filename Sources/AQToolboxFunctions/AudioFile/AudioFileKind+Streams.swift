// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

extension AudioFileKind {
    /// The forms in which a file type stores a format: the format's ID, its flags and the bit depth of samples.
    ///
    /// - Returns: Descriptions whose sample rate and number of channels are 0; none if the file type cannot store
    ///   the format.
    func streamDescriptions(of formatID: AudioFormatID) -> [AudioStreamBasicDescription] {
        guard formatIDs.contains(formatID) else { return [] }
        let forms: [SampleForm] =
            switch formatID {
            case kAudioFormatLinearPCM: sampleForms
            case kAudioFormatAppleLossless: (1...4).map { SampleForm(flags: $0, bits: 0) }
            default: [SampleForm(flags: 0, bits: 0)]
            }
        return forms.map { form in
            AudioStreamBasicDescription(
                mSampleRate: kAudioStreamAnyRate, mFormatID: formatID, mFormatFlags: form.flags,
                mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0, mChannelsPerFrame: 0,
                mBitsPerChannel: form.bits, mReserved: 0)
        }
    }

    private var sampleForms: [SampleForm] {
        let little = SampleForm.integers(order: 0)
        let big = SampleForm.integers(order: kAudioFormatFlagIsBigEndian)
        let littleFloats = SampleForm.floats(order: 0)
        let bigFloats = SampleForm.floats(order: kAudioFormatFlagIsBigEndian)
        switch type {
        case kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type:
            return [SampleForm(flags: kAudioFormatFlagIsPacked, bits: 8)] + little + littleFloats
        case kAudioFileAIFFType: return [.signedByte] + big
        case kAudioFileAIFCType:
            // AIFF-C has a code for little-endian samples only for those of two bytes.
            return [.signedByte] + big + [SampleForm(flags: SampleForm.signed, bits: 16)] + bigFloats
        case kAudioFileNextType: return [.signedByte] + big + bigFloats
        case kAudioFileFLACType, kAudioFileOggType:
            // The forms to which the engine decodes.
            return SampleForm.integers(order: kAudioFormatFlagsNativeEndian).filter { $0.bits != 24 }
        default: return [.signedByte] + big + little + bigFloats + littleFloats
        }
    }
}

/// The flags and bit depth that distinguish the forms of samples in a stream description.
private struct SampleForm {
    var flags: AudioFormatFlags
    var bits: UInt32

    static let signed: AudioFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    /// The form of 8-bit samples, which have no byte order.
    static let signedByte = SampleForm(flags: signed, bits: 8)

    static func integers(order: AudioFormatFlags) -> [SampleForm] {
        [16, 24, 32].map { SampleForm(flags: signed | order, bits: $0) }
    }

    static func floats(order: AudioFormatFlags) -> [SampleForm] {
        let flags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | order
        return [32, 64].map { SampleForm(flags: flags, bits: $0) }
    }
}
