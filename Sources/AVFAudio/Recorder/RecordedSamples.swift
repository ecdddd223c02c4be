// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes

/// The samples that are captured for a file: interleaved, with its rate and channels.
enum RecordedSamples {
    /// Returns the format of the samples, which keep what the file can store.
    static func format(for request: FileRequest) throws -> AVAudioFormat {
        try FileTransfer.processingFormat(commonFormat(for: request), isInterleaved: true, of: request.format)
    }

    private static func commonFormat(for request: FileRequest) -> AVAudioCommonFormat {
        let asbd = request.format.asbd
        switch asbd.mFormatID {
        case kAudioFormatLinearPCM where asbd.isFloat: return .pcmFormatFloat32
        case kAudioFormatLinearPCM: return integers(bits: Int(asbd.mBitsPerChannel))
        // Without another request, a lossless file has the depth of most microphones.
        case kAudioFormatAppleLossless, kAudioFormatFLAC:
            return integers(bits: request.settings.bitDepthHint ?? 16)
        default: return .pcmFormatFloat32
        }
    }

    private static func integers(bits: Int) -> AVAudioCommonFormat {
        bits <= 16 ? .pcmFormatInt16 : .pcmFormatInt32
    }
}
