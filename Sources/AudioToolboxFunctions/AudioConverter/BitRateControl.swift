import CAudioToolbox

/// How an encoder keeps to its bit rate, by the numbers that are published for codecs.
///
/// Programs set it on converters, too, and give up if that fails. The encoder there is keeps to the rate in the long run,
/// whichever of these is asked for.
enum BitRateControl: UInt32 {
    case constant = 0
    case longTermAverage = 1
    case constrainedVariable = 2

    /// The property, as codecs have it.
    static let property: AudioConverterPropertyID = kAudioCodecPropertyBitRateControlMode
}
