// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc
import Synchronization

@testable import AQUnits

/// A source of floats in a buffer for each channel, which counts its calls.
final class FloatSource: Sendable {
    struct Call: Sendable, Equatable {
        var bus: Int
        var frames: Int
        var sampleTime: Double
    }

    private let state = Mutex((calls: [Call](), position: 0))
    private let sample: @Sendable (_ frame: Int, _ channel: Int) -> Float

    /// - Parameter sample: The sample of a frame, counted from the first call.
    init(_ sample: @escaping @Sendable (_ frame: Int, _ channel: Int) -> Float) { self.sample = sample }

    convenience init(constant: Float) { self.init { _, _ in constant } }

    var calls: [Call] { state.withLock { $0.calls } }
    var frames: Int { calls.map(\.frames).reduce(0, +) }

    var code: RenderCode {
        unsafe RenderCode { [self] _, time, bus, frames, list in
            guard let list = unsafe UnsafeMutableAudioBufferListPointer(list) else { return -1 }
            let start = state.withLock { state in
                state.calls.append(
                    Call(bus: bus, frames: frames, sampleTime: unsafe time.pointee.mSampleTime))
                defer { state.position += frames }
                return state.position
            }
            for channel in unsafe list.indices {
                let floats = unsafe UnsafeMutableBufferPointer<Float>(list[channel])
                for frame in floats.indices { unsafe floats[frame] = sample(start + frame, channel) }
            }
            return 0
        }
    }
}

/// A render of a unit by hand.
struct PulledSlices {
    var status: Int32 = 0
    var isSilent = false
    /// The bytes of each buffer.
    var buffers: [[UInt8]] = []

    /// The samples of each buffer.
    func samples<Sample: BitwiseCopyable>(as type: Sample.Type = Float.self) -> [[Sample]] {
        buffers.map { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                (0..<bytes.count / MemoryLayout<Sample>.stride).map {
                    unsafe bytes.loadUnaligned(
                        fromByteOffset: $0 * MemoryLayout<Sample>.stride, as: Sample.self)
                }
            }
        }
    }

    /// Renders slices one after the other, in memory of the unit.
    static func render(
        _ unit: PulledUnit, _ slices: [Int], bus: Int = 0
    ) throws(UnitError) -> PulledSlices {
        let format = try unit.format(.output)
        let count = format.isInterleaved ? 1 : Int(format.mChannelsPerFrame)
        let list = unsafe AudioBufferList.allocate(maximumBuffers: count)
        defer { unsafe free(list.unsafeMutablePointer) }
        var result = PulledSlices()
        result.buffers = Array(repeating: [], count: count)
        var time = AudioTimeStamp()
        time.mFlags = [.sampleTimeValid]
        for frames in slices {
            unsafe list.count = count
            for index in 0..<count { unsafe list[index] = unsafe AudioBuffer() }
            var actions: RenderActions = []
            result.status = try unsafe unit.render(&actions, &time, bus: bus, frames: frames, into: list)
            result.isSilent = actions.contains(.outputIsSilence)
            guard result.status == 0 else { return result }
            for index in 0..<count { unsafe result.buffers[index] += UnsafeRawBufferPointer(list[index]) }
            time.mSampleTime += Double(frames)
        }
        return result
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes of a buffer of a list.
    init(_ buffer: AudioBuffer) {
        unsafe self.init(start: buffer.mData, count: Int(buffer.mDataByteSize))
    }
}
