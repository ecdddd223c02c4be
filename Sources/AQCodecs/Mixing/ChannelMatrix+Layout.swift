// SPDX-License-Identifier: MIT

public import CoreAudioTypes

extension ChannelMatrix {
    /// Makes the usual mix from one order of channels to another.
    ///
    /// - A channel that both orders have is passed unchanged.
    /// - A channel that the output lacks is mixed into its neighbours: the centre to left and right, surrounds to the
    ///   front, rear channels to the sides, 3 dB down for each step, and all to the only channel of a mono output.
    ///   Low frequencies without a channel of their own are dropped, as in ITU-R BS.775.
    /// - A channel that the input lacks is silent, except that mono goes to the centre, or to left and right.
    /// - If the gains of an output channel add up to more than 1, all gains are divided by the largest of these sums:
    ///   audio that does not clip before the mix does not clip after it, and the balance of the channels is kept.
    ///
    /// Numbered channels match those of the same number. If a label is unknown or occurs twice, or all output would be
    /// silent, all channels are passed by position.
    ///
    /// The result is nil if there are no channels, or more than a format may have.
    ///
    /// The corresponding C property is `kAudioFormatProperty_MatrixMixMap`.
    public init?(from inputLabels: [AudioChannelLabel], to outputLabels: [AudioChannelLabel]) {
        let limit = AudioStreamBasicDescription.maximumChannels
        guard inputLabels.count <= limit, outputLabels.count <= limit else { return nil }
        guard inputLabels != outputLabels, let mix = SpeakerMix(from: inputLabels, to: outputLabels) else {
            self.init(inputs: inputLabels.count, outputs: outputLabels.count)
            return
        }
        self.init(inputs: inputLabels.count, outputs: outputLabels.count, gains: mix.gains)
    }
}
