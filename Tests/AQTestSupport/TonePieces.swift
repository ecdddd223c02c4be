// SPDX-License-Identifier: MIT

import Glibc

/// A conversion of a tone whose pieces are offered once each, as a microphone does.
///
/// The converter is asked for one output after each piece, which has room for the piece's frames and 16 more.
public struct TonePieces: Sendable, CustomStringConvertible {
    public var inputRate: Double
    public var outputRate: Double
    public var pieceFrames: Int
    public var pieces: Int

    public static let rates: [Double] = [
        8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000,
    ]
    public static let sizes = [1, 16, 160, 480, 512, 1024, 4096, 8192]
    private static let hertz = 997.0

    /// - Parameter frames: The length of the input, of which there are at least two pieces.
    public init(from inputRate: Double, to outputRate: Double, pieceFrames: Int, frames: Int) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.pieceFrames = pieceFrames
        pieces = max(2, frames / pieceFrames)
    }

    /// Each pair of different rates with every size, or with the next of the sizes.
    public static func table(isWhole: Bool, frames: Int = 6000) -> [TonePieces] {
        var next = 0
        return rates.flatMap { from in
            rates.filter { $0 != from }.flatMap { to in
                next += 1
                let sizes = isWhole ? sizes : [sizes[next % sizes.count]]
                // A filter is long if the output has the lower rate.
                let least = Int(from / min(from, to) * 1200)
                return sizes.map {
                    TonePieces(from: from, to: to, pieceFrames: $0, frames: max(frames, least))
                }
            }
        }
    }

    public var description: String {
        "\(Int(inputRate)) to \(Int(outputRate)) Hz, \(pieces) pieces of \(pieceFrames)"
    }

    public var inputFrames: Int { pieces * pieceFrames }
    public var roomFrames: Int { Int((Double(pieceFrames) * outputRate / inputRate).rounded(.up)) + 16 }

    public func piece(_ index: Int) -> [Float] {
        (index * pieceFrames..<(index + 1) * pieceFrames).map { Float(Self.tone($0, inputRate)) }
    }

    private static func tone(_ frame: Int, _ rate: Double) -> Double {
        0.5 * sin(2 * .pi * hertz * Double(frame) / rate)
    }

    /// The output of a conversion.
    public struct Result: Sendable {
        public var samples: [Float] = []
        /// The number of frames after each piece.
        public var totals: [Int] = []
        /// The pieces that were not taken.
        public var refused = 0
        /// Whether the rest was returned after the end of the input.
        public var isFinished = false

        public init() {}
    }

    /// The faults of a result; empty if there are none.
    ///
    /// - Parameters:
    ///   - delay: The input frames that the converter holds after each piece.
    ///   - noise: The limit of everything else than the tone, in decibels relative to the tone.
    public func faults(_ result: Result, delay: Int, noise: Double) -> [String] {
        var faults: [String] = []
        if result.refused > 0 { faults.append("\(result.refused) pieces refused") }
        let ratio = outputRate / inputRate
        for (index, total) in result.totals.enumerated() {
            let due = max(0, Double((index + 1) * pieceFrames - delay) * ratio)
            if abs(Double(total) - due) > 1.01 {
                faults.append("\(total) frames after piece \(index), \(due) due")
                break
            }
        }
        if result.totals.count != pieces { faults.append("\(result.totals.count) outputs") }
        let whole = Int((Double(inputFrames) * ratio).rounded())
        if result.isFinished, result.samples.count != whole {
            faults.append("\(result.samples.count) frames at the end, not \(whole)")
        }
        let level = noiseLevel(result.samples, delay: Int((Double(delay) * ratio).rounded(.up)))
        if level > noise { faults.append("noise of \(level.rounded()) dB") }
        return faults.isEmpty ? [] : ["\(self): \(faults)"]
    }

    /// The level of everything else than the tone, in decibels relative to it, away from the ends of the tone.
    private func noiseLevel(_ samples: [Float], delay: Int) -> Double {
        let whole = Int(Double(inputFrames) * outputRate / inputRate)
        let range = delay..<max(delay, min(samples.count, whole - delay))
        guard range.count > 20 else { return .infinity }
        var (signal, noise) = (0.0, 0.0)
        for index in range {
            let ideal = Self.tone(index, outputRate)
            let difference = Double(samples[index]) - ideal
            signal += ideal * ideal
            noise += difference * difference
        }
        return 10 * log10(noise / signal + 1e-30)
    }
}
