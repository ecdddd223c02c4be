// SPDX-License-Identifier: MIT

extension AudioFileType {
    /// Returns the sample rate at which audio of a rate is stored in files of the type, after conversion if it differs.
    ///
    /// Opus has five rates, of which this is the lowest that is not below the given one, or the highest. For all other
    /// types it is the given rate, also if they do not support it.
    public func storedSampleRate(of sampleRate: Double) -> Double {
        guard self == .oggOpus else { return sampleRate }
        let rates = OpusEncoder.sampleRates.map(Double.init)
        return rates.first { $0 >= sampleRate } ?? rates[rates.count - 1]
    }
}
