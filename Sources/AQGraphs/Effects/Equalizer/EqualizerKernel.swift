// SPDX-License-Identifier: MIT

/// Filters the input with the bands of an equalizer that are not bypassed.
///
/// Used by the rendering thread.
final class EqualizerKernel: GraphKernel, @unchecked Sendable {
    // SAFETY: one rendering thread at a time uses the filters.

    /// The number of filters of one pass over the samples. The calculations of several filters overlap.
    private static let groupSize = 4

    private let element: EqualizerElement
    private let sampleRate: Double
    private let bandCount: Int
    /// The number of pairs of channels. The last channel of an odd number is a pair with itself.
    private let pairCount: Int
    /// The filters of each pair of channels: one for each band, and one that changes nothing.
    private var sections: [BiquadSection]
    /// The settings that the filters were computed for; nil for bands that are bypassed.
    private var settings: [EqualizerBand.Settings?]
    /// The bands that are in force, and after them ``bandCount`` until a group is complete.
    private var order: [Int]
    private var activeCount = 0
    private var gains: [GainMove]
    /// Whether the filters may hold audio.
    private var holdsAudio = false

    init(_ element: EqualizerElement, _ setup: KernelSetup) {
        self.element = element
        sampleRate = setup.output.sampleRate
        bandCount = element.bands.count
        pairCount = (setup.output.channels + 1) / 2
        sections = Array(repeating: BiquadSection(), count: pairCount * (bandCount + 1))
        settings = Array(repeating: nil, count: bandCount)
        order = Array(repeating: bandCount, count: bandCount + Self.groupSize)
        gains = Array(repeating: GainMove(), count: setup.output.channels)
    }

    func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        let hasInput = call.render(input: 0, target, time: call.time)
        guard !element.bypass.isOn else {
            if holdsAudio { reset() }
            return hasInput
        }
        guard hasInput || holdsAudio else { return false }
        update()
        for pair in 0..<pairCount {
            let first = unsafe target[2 * pair]
            let second = unsafe target[min(2 * pair + 1, target.channels - 1)]
            unsafe filter(first, second, frames: target.frames, pair: pair)
        }
        let gain = EffectState.factor(decibels: element.globalGain.value)
        for channel in 0..<target.channels {
            unsafe gains[channel].scale(target[channel], frames: target.frames, wanted: gain)
        }
        holdsAudio = hasInput || !isQuiet
        if !holdsAudio { reset() }
        return true
    }

    /// Computes the coefficients of bands that were changed.
    private func update() {
        activeCount = 0
        for band in 0..<bandCount {
            let wanted = element.bands[band].settings
            if wanted != nil {
                order[activeCount] = band
                activeCount += 1
            }
            guard settings[band] != wanted else { continue }
            settings[band] = wanted
            let coefficients = wanted.map { BiquadCoefficients($0, sampleRate: sampleRate) }
            for pair in 0..<pairCount {
                let index = pair * (bandCount + 1) + band
                if let coefficients { sections[index].set(coefficients) } else { sections[index].clear() }
            }
        }
        for index in activeCount..<activeCount + Self.groupSize { order[index] = bandCount }
    }

    @unsafe private func filter(
        _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, frames: Int, pair: Int
    ) {
        let start = pair * (bandCount + 1)
        for group in stride(from: 0, to: activeCount, by: Self.groupSize) {
            let (i, j) = (start + order[group], start + order[group + 1])
            let (k, l) = (start + order[group + 2], start + order[group + 3])
            var (a, b, c, d) = (sections[i], sections[j], sections[k], sections[l])
            for frame in 0..<frames {
                let input = unsafe SIMD2<Double>(Double(first[frame]), Double(second[frame]))
                let output = d.filter(c.filter(b.filter(a.filter(input))))
                unsafe first[frame] = Float(output.x)
                unsafe second[frame] = Float(output.y)
            }
            (sections[i], sections[j], sections[k], sections[l]) = (a, b, c, d)
            for index in group..<group + Self.groupSize { sections[start + order[index]].settle() }
        }
    }

    /// Whether the tail has decayed.
    private var isQuiet: Bool {
        for index in sections.indices where sections[index].magnitude >= Double(EffectState.silence) {
            return false
        }
        return true
    }

    func reset() {
        for index in sections.indices { sections[index].clear() }
        holdsAudio = false
    }
}
