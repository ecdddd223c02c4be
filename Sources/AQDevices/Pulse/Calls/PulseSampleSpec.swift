// SPDX-License-Identifier: MIT

import CAQPulse

extension SampleFormat {
    /// The format as PulseAudio's type. Always native-endian, because the copy reverses the bytes of big-endian
    /// samples.
    var pulseSampleSpec: pa_sample_spec {
        pa_sample_spec(
            format: pulseSampleFormat, rate: UInt32(sampleRate.rounded()), channels: UInt8(channels))
    }

    private var pulseSampleFormat: pa_sample_format_t {
        let isLittleEndian = 1.littleEndian == 1
        return switch encoding {
        case .unsigned8: PA_SAMPLE_U8
        case .signed16: isLittleEndian ? PA_SAMPLE_S16LE : PA_SAMPLE_S16BE
        case .signed24: isLittleEndian ? PA_SAMPLE_S24LE : PA_SAMPLE_S24BE
        case .signed32: isLittleEndian ? PA_SAMPLE_S32LE : PA_SAMPLE_S32BE
        case .float32: isLittleEndian ? PA_SAMPLE_FLOAT32LE : PA_SAMPLE_FLOAT32BE
        }
    }
}
