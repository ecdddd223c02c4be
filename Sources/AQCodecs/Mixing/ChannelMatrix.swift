// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The gain from each input channel to each output channel.
public struct ChannelMatrix: Sendable, Equatable {
    /// The number of input channels.
    public let inputs: Int
    /// The number of output channels.
    public let outputs: Int
    /// The gains, a row for each input and a column for each output, in the order of
    /// `kAudioFormatProperty_MatrixMixMap`.
    public let gains: [Float]

    /// Makes a matrix with gains; nil if their number is wrong, one is not finite, or there are not 1 to 1024 channels.
    ///
    /// - Parameter gains: A row for each input, a column for each output.
    public init?(inputs: Int, outputs: Int, gains: [Float]) {
        let limit = AudioStreamBasicDescription.maximumChannels
        guard 1...limit ~= inputs, 1...limit ~= outputs, gains.count == inputs * outputs,
            gains.allSatisfy(\.isFinite)
        else { return nil }
        self.inputs = inputs
        self.outputs = outputs
        self.gains = gains
    }

    /// Makes a matrix that selects channels; nil if a number is invalid, or there are not 1 to 1024 channels.
    ///
    /// - Parameter map: The input channel for each output channel; -1 for silence, as in `kAudioConverterChannelMap`.
    public init?(inputs: Int, map: [Int]) {
        // Checked before memory is allocated.
        let limit = AudioStreamBasicDescription.maximumChannels
        guard 1...limit ~= inputs, 1...limit ~= map.count, map.allSatisfy({ -1..<inputs ~= $0 })
        else { return nil }
        var gains = [Float](repeating: 0, count: inputs * map.count)
        for (output, input) in map.enumerated() where input >= 0 { gains[input * map.count + output] = 1 }
        self.init(inputs: inputs, outputs: map.count, gains: gains)
    }

    /// Makes a matrix that passes channels by number; nil if there are not 1 to 1024 channels. Surplus inputs are
    /// dropped, surplus outputs are silent.
    public init?(inputs: Int, outputs: Int) {
        // Checked before memory is allocated.
        guard 1...AudioStreamBasicDescription.maximumChannels ~= outputs else { return nil }
        self.init(inputs: inputs, map: (0..<outputs).map { $0 < inputs ? $0 : -1 })
    }

    /// The gain from `input` to `output`.
    public subscript(input: Int, output: Int) -> Float { gains[input * outputs + output] }

    /// The input for each output, or -1 for silence; nil if the matrix does not only select channels.
    public var map: [Int]? {
        var result: [Int] = []
        for output in 0..<outputs {
            let sources = (0..<inputs).filter { self[$0, output] != 0 }
            guard sources.count <= 1, sources.allSatisfy({ self[$0, output] == 1 }) else { return nil }
            result.append(sources.first ?? -1)
        }
        return result
    }

    /// Whether every channel is passed unchanged.
    public var isIdentity: Bool { inputs == outputs && map == Array(0..<inputs) }
}
