// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// The bit rate control modes that are published for codecs.
///
/// Programs set these modes on converters, too, and fail if the call fails. The encoder here keeps the rate
/// in the long term, whichever mode is set.
enum BitRateControl: UInt32 {
    case constant = 0
    case longTermAverage = 1
    case constrainedVariable = 2

    static let property: AudioConverterPropertyID = kAudioCodecPropertyBitRateControlMode
}
