public import CoreAudioTypes

extension ChannelMatrix {
    /// Makes the usual mix from one order of channels to another.
    ///
    /// - A channel that both have is passed on unchanged.
    /// - One that the output lacks goes to its neighbours there: the centre to left and right, surrounds to the
    ///   front, rear ones to the sides, 3 dB down for each step, and all to the only one of a mono output. Low
    ///   frequencies without a channel of their own are dropped, as ITU-R BS.775 has it.
    /// - One that the input lacks is silent, but mono goes to the centre, or to left and right.
    /// - Where the sum of an output's gains is above 1, all gains are divided by the largest such sum: what does
    ///   not clip before does not after, and the balance of the channels is kept.
    ///
    /// Numbered channels find those of the same number. If a label is unknown, or is not there once, all channels
    /// are passed by position.
    ///
    /// Nil for more channels than a format may have, or none.
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
