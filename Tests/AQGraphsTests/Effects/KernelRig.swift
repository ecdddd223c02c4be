// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

@testable import AQGraphs

/// Renders an element whose input is a function.
final class KernelRig {
    typealias Input = @Sendable (_ frame: Int, _ channel: Int) -> Float

    private let channels: Int
    private let memory: PlanarMemory
    private let renderer = GraphRenderer()
    private let source: FunctionSource
    private var time: Int64 = 0
    /// Whether the last slice had audio.
    private(set) var hasSound = false

    /// - Parameters:
    ///   - sliceFrames: The length of slices.
    ///   - input: The sample of a frame, by the time of the input.
    init(
        _ element: any GraphElement, sampleRate: Double = 48_000, channels: Int = 1, sliceFrames: Int = 480,
        input: @escaping Input
    ) {
        self.channels = channels
        memory = PlanarMemory(channels: channels, capacityFrames: sliceFrames)
        source = FunctionSource(input)
        // PLAN
        let format = GraphFormat(sampleRate: sampleRate, channels: channels)
        var shape = GraphShape(maximumFrames: sliceFrames)
        shape.nodes[0] = GraphShape.Node(source.element, format: format)
        var node = GraphShape.Node(element, format: format)
        node.inputs = [GraphShape.Connection(source: 0, format: format)]
        shape.nodes[1] = node
        shape.output = 1
        var builder = PlanBuilder()
        renderer.replacePlan(builder.plan(shape))
    }

    /// The number of frames that the element has rendered of its input.
    var fetchedFrames: Int { source.frames.load(ordering: .relaxed) }

    /// Renders the next frames, and returns those of each channel.
    func render(_ frames: Int) -> [[Float]] {
        var output = Array(repeating: [Float](), count: channels)
        var done = 0
        while done < frames {
            let slice = memory.prefix(min(frames - done, memory.capacityFrames))
            hasSound = renderer.renderOutput(slice, SliceTime(sampleTime: time), isOffline: true)
            for channel in 0..<channels {
                let samples = unsafe slice[channel]
                for frame in 0..<slice.frames { output[channel].append(unsafe samples[frame]) }
            }
            done += slice.frames
            time += Int64(slice.frames)
        }
        return output
    }
}

/// Renders the first frames of an element whose input is a function, and returns those of each channel.
func render(
    _ element: any GraphElement, frames: Int, sampleRate: Double = 48_000, channels: Int = 1,
    input: @escaping KernelRig.Input
) -> [[Float]] {
    KernelRig(element, sampleRate: sampleRate, channels: channels, input: input).render(frames)
}

/// A source of the samples of a function.
private final class FunctionSource: Sendable {
    let frames = Atomic<Int>(0)
    private let input: KernelRig.Input

    init(_ input: @escaping KernelRig.Input) { self.input = input }

    var element: SourceElement {
        SourceElement { [self] target, call in
            var hasSound = false
            for channel in 0..<target.channels {
                let samples = unsafe target[channel]
                for frame in 0..<target.frames {
                    let sample = input(Int(call.time.sampleTime) + frame, channel)
                    if sample != 0 { hasSound = true }
                    unsafe samples[frame] = sample
                }
            }
            frames.wrappingAdd(target.frames, ordering: .relaxed)
            return hasSound
        }
    }
}

/// Functions for the input of a rig, and measurements of its output.
enum Signal {
    /// A single sample, in each channel.
    static let impulse: KernelRig.Input = { frame, _ in frame == 0 ? 1 : 0 }

    static let silence: KernelRig.Input = { _, _ in 0 }

    /// A sine.
    static func sine(
        _ frequency: Double, sampleRate: Double = 48_000, amplitude: Float = 1
    ) -> KernelRig.Input {
        { frame, _ in amplitude * Float(sin(2 * Double.pi * frequency * Double(frame) / sampleRate)) }
    }

    /// White noise, the same in each run. Channels differ.
    static let noise: KernelRig.Input = { frame, channel in
        var value = UInt64(truncatingIfNeeded: frame &* 2 &+ channel) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        return Float(value >> 40) / Float(1 << 23) - 1
    }

    /// The amplitude of a frequency, which has a whole number of periods in the samples.
    static func amplitude(
        of frequency: Double, in samples: ArraySlice<Float>, sampleRate: Double = 48_000
    ) -> Double {
        var (inPhase, quadrature) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / sampleRate
            inPhase += Double(sample) * cos(angle)
            quadrature += Double(sample) * sin(angle)
        }
        return 2 * (inPhase * inPhase + quadrature * quadrature).squareRoot() / Double(samples.count)
    }

    /// The mean of the squares.
    static func power(_ samples: ArraySlice<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
    }

    static func peak(_ samples: [Float]) -> Float { samples.reduce(0) { max($0, abs($1)) } }

    /// The number of times that a wave crosses zero upwards.
    static func periods(_ samples: [Float]) -> Int {
        zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    }
}
