// SPDX-License-Identifier: MIT

import AQCodecs

/// The way from a node to an input of another, with the conversion of channels and rate.
///
/// Used by the rendering thread.
final class PlanEdge: @unchecked Sendable {
    // SAFETY: only the rendering thread uses the memory and the conversion.
    let source: PlanNode
    /// The volume and position that the source asks for, if the input is that of a mixer.
    let mix: MixControls?
    private let conversion: RateConversion?
    private let matrix: ChannelMatrix?
    /// The source's slice, before the channels are mixed.
    private let samples: PlanarMemory?

    init(
        from source: PlanNode, to format: GraphFormat, mix: MixControls?, conversion: RateConversion?,
        maximumFrames: Int
    ) {
        self.source = source
        self.mix = mix
        self.conversion = conversion
        matrix = source.format.matrix(to: format)
        samples =
            matrix == nil
            ? nil : PlanarMemory(channels: source.format.channels, capacityFrames: maximumFrames)
    }

    /// Renders a slice in the format of the input; returns false if all samples are 0.
    func render(_ target: PlanarSamples, _ time: SliceTime, _ turn: RenderTurn) -> Bool {
        guard let matrix, let samples else { return renderSource(target, time, turn) }
        let slice = samples.prefix(target.frames)
        guard renderSource(slice, time, turn) else {
            target.silence()
            return false
        }
        mixChannels(slice, to: target, matrix)
        return true
    }

    private func renderSource(_ target: PlanarSamples, _ time: SliceTime, _ turn: RenderTurn) -> Bool {
        conversion?.render(target, time, turn, from: source) ?? source.render(target, time, turn)
    }

    private func mixChannels(_ slice: PlanarSamples, to target: PlanarSamples, _ matrix: ChannelMatrix) {
        target.silence()
        for output in 0..<min(target.channels, matrix.outputs) {
            let sum = unsafe target[output]
            for input in 0..<min(slice.channels, matrix.inputs) {
                let gain = matrix[input, output]
                guard gain != 0 else { continue }
                let samples = unsafe slice[input]
                for index in 0..<target.frames { unsafe sum[index] += samples[index] * gain }
            }
        }
    }
}
