// SPDX-License-Identifier: MIT

import AQGraphs
import AQThreads

/// The tap that a client has installed on a node. If the node's format changes, another ``Tap`` follows.
final class NodeTap: @unchecked Sendable {
    // SAFETY: the engine's lock protects the tap; the block is called by one queue.

    /// The format that the client asks for; nil for that of the node.
    private let wanted: AVAudioFormat?
    private let bufferFrames: Int
    private let block: TapBlock
    private(set) var current: Tap?

    init(_ bufferFrames: Int, _ wanted: AVAudioFormat?, _ block: @escaping AVAudioNodeTapBlock) {
        self.bufferFrames = bufferFrames
        self.wanted = wanted
        self.block = TapBlock(block)
    }

    /// Returns the tap for a format of the node, and slices of so many frames at most.
    func tap(for format: GraphFormat, maximumFrames: Int) -> Tap? {
        if let current, current.format == format, current.maximumFrames >= maximumFrames { return current }
        current?.end()
        let source = AVAudioFormat.standard(format)
        guard source.channelCount > 0 else {
            current = nil
            return nil
        }
        let pass = TapDelivery(from: source, to: wanted, block)
        current = Tap(format: format, bufferFrames: bufferFrames, maximumFrames: maximumFrames) {
            pass.deliver($0, $1)
        }
        return current
    }

    func end() {
        current?.end()
        current = nil
        block.end()
    }
}

/// Passes what a tap gets to the client's block, converted if another format is wanted.
private final class TapDelivery: @unchecked Sendable {
    // SAFETY: called by one queue, one buffer after the other.
    private let source: AVAudioFormat
    private let block: TapBlock
    private let converter: AVAudioConverter?
    private var converted: Int64 = 0
    private var start: Int64?

    init(from source: AVAudioFormat, to wanted: AVAudioFormat?, _ block: TapBlock) {
        self.source = source
        self.block = block
        converter = wanted.flatMap { $0 == source ? nil : AVAudioConverter(from: source, to: $0) }
    }

    func deliver(_ samples: PlanarSamples, _ time: SliceTime) {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: source, frameCapacity: UInt32(samples.frames)),
            let channels = unsafe buffer.floatChannelData
        else { return }
        buffer.frameLength = UInt32(samples.frames)
        for channel in 0..<samples.channels {
            unsafe channels[channel].update(from: samples[channel], count: samples.frames)
        }
        guard let converter else {
            return block.call(buffer, Self.time(time, time.sampleTime, source.sampleRate))
        }
        convert(buffer, time, converter)
    }

    private func convert(_ buffer: AVAudioPCMBuffer, _ time: SliceTime, _ converter: AVAudioConverter) {
        let target = converter.outputFormat
        let capacity = Double(buffer.frameLength) * target.sampleRate / source.sampleRate + 64
        guard let output = AVAudioPCMBuffer(pcmFormat: target, frameCapacity: UInt32(capacity)) else {
            return
        }
        nonisolated(unsafe) var waiting: AVAudioPCMBuffer? = buffer
        let status = unsafe converter.convert(to: output, error: nil) { _, status in
            defer { unsafe waiting = nil }
            unsafe status.pointee = waiting == nil ? .noDataNow : .haveData
            return unsafe waiting
        }
        guard status != .error, output.frameLength > 0 else { return }
        let first =
            start
            ?? AVAudioFramePosition(nearest: Double(time.sampleTime) * target.sampleRate / source.sampleRate)
        start = first
        block.call(output, Self.time(time, first + converted, target.sampleRate))
        converted += Int64(output.frameLength)
    }

    private static func time(_ time: SliceTime, _ sampleTime: Int64, _ sampleRate: Double) -> AVAudioTime {
        time.hostTime == 0
            ? AVAudioTime(sampleTime: sampleTime, atRate: sampleRate)
            : AVAudioTime(hostTime: time.hostTime, sampleTime: sampleTime, atRate: sampleRate)
    }
}
