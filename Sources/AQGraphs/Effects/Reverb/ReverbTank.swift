// SPDX-License-Identifier: MIT

import Glibc

/// The reverberation: eight delay lines whose outputs are damped, mixed by a Householder matrix, and fed back.
///
/// The matrix changes no energy, and the gains are less than 1, so the feedback is stable. Used by one thread at a time.
@safe final class ReverbTank {
    // SAFETY: the memory is allocated here and freed by deinit; a mask keeps positions inside it.

    /// The delays of the lines in seconds, in a room of size 1.
    private static let delays = SIMD8<Double>(
        0.0311, 0.0367, 0.0431, 0.0493, 0.0557, 0.0613, 0.0677, 0.0743)
    /// More than the distance from a number to the next prime number, for all lengths.
    private static let primeMargin = 200

    private let sampleRate: Double
    /// The lines: frames of a sample of each line.
    private let memory: UnsafeMutablePointer<SIMD8<Float>>
    /// The number of frames of the memory, a power of two.
    private let capacityFrames: Int
    private var lengths = SIMD8<Int>(repeating: 1)
    private var gains = SIMD8<Float>()
    private var smoothing: Float = 1
    /// The damped outputs of the lines.
    private var damped = SIMD8<Float>()
    private var position = 0
    /// The gain with which the reverberation of noise is as loud as the noise.
    private(set) var outputGain: Float = 0
    /// The longest of the delays.
    private(set) var longestFrames = 1

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        let longest = Int(Self.delays.max() * ReverbPreset.largestSize * sampleRate) + Self.primeMargin
        var capacity = 1
        while capacity <= longest { capacity *= 2 }
        capacityFrames = capacity
        unsafe memory = .allocate(capacity: capacity)
        unsafe memory.initialize(repeating: .zero, count: capacity)
    }

    deinit { unsafe memory.deallocate() }

    /// Changes the room, and drops the audio that is held.
    func set(_ preset: ReverbPreset) {
        var power: Float = 0
        for line in 0..<8 {
            let frames = Self.prime(from: Int(Self.delays[line] * preset.size * sampleRate))
            lengths[line] = min(frames, capacityFrames - 1)
            // -60 dB after the time of the decay.
            let decades = -3 * Double(frames) / (preset.decay * sampleRate)
            gains[line] = Float(pow(10, decades))
            power += gains[line] * gains[line] / 8
        }
        longestFrames = lengths.max()
        smoothing = EffectState.smoothing(cutoff: preset.damping, sampleRate: sampleRate)
        outputGain = ((1 - power) / 2).squareRoot()
        clear()
    }

    /// Processes two channels.
    ///
    /// - Parameter output: Gets the output of each line.
    /// - Returns: The sum of the squares of the samples that the lines store.
    @unsafe func process(
        _ input: UnsafeMutablePointer<SIMD2<Float>>, into output: UnsafeMutablePointer<SIMD8<Float>>,
        frames: Int
    ) -> Float {
        let (memory, mask) = unsafe (self.memory, capacityFrames - 1)
        let (lengths, gains, smoothing) = (self.lengths, self.gains, self.smoothing)
        var (damped, position, energy) = (self.damped, self.position, SIMD8<Float>())
        for frame in 0..<frames {
            // Neighbouring lines have the echoes of different channels.
            let pair = unsafe input[frame] * 0.5
            let source = SIMD8<Float>(
                pair.x, pair.y, pair.x, pair.y, pair.x, pair.y, pair.x, pair.y)
            let read0 = unsafe memory[(position &- lengths[0]) & mask][0]
            let read1 = unsafe memory[(position &- lengths[1]) & mask][1]
            let read2 = unsafe memory[(position &- lengths[2]) & mask][2]
            let read3 = unsafe memory[(position &- lengths[3]) & mask][3]
            let read4 = unsafe memory[(position &- lengths[4]) & mask][4]
            let read5 = unsafe memory[(position &- lengths[5]) & mask][5]
            let read6 = unsafe memory[(position &- lengths[6]) & mask][6]
            let read7 = unsafe memory[(position &- lengths[7]) & mask][7]
            let read = SIMD8<Float>(read0, read1, read2, read3, read4, read5, read6, read7)
            damped += (read - damped) * smoothing
            let fed = damped * gains
            let reflected = Self.total(fed) * 0.25
            let stored = fed - reflected + source
            energy += stored * stored
            unsafe memory[position & mask] = stored
            unsafe output[frame] = fed
            position &+= 1
        }
        for line in 0..<8 { damped[line] = damped[line].settled }
        (self.damped, self.position) = (damped, position)
        return Self.total(energy)
    }

    /// The sum of the lines.
    @inline(__always)
    static func total(_ lines: SIMD8<Float>) -> Float {
        let four = lines.lowHalf + lines.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }

    /// Drops the audio that is held.
    func clear() {
        unsafe memory.update(repeating: .zero, count: capacityFrames)
        damped = SIMD8()
        position = 0
    }

    /// Returns the smallest prime number that is not less than a number, so that echoes of lines rarely coincide.
    private static func prime(from number: Int) -> Int {
        var candidate = max(3, number | 1)
        while !isOddPrime(candidate) { candidate += 2 }
        return candidate
    }

    private static func isOddPrime(_ number: Int) -> Bool {
        var divisor = 3
        while divisor * divisor <= number {
            if number % divisor == 0 { return false }
            divisor += 2
        }
        return true
    }
}
