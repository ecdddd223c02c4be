// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import PeerKit

/// All streams of a run.
final class Peer {
    private let outputs: [OutputPeer]
    private let inputs: [InputPeer]

    init(_ options: Options) throws {
        outputs = try options.hasOutput ? Self.makeOutputs(options) : []
        inputs = try options.hasInput ? Self.makeInputs(options) : []
    }

    private static func makeOutputs(_ options: Options) throws -> [OutputPeer] {
        var devices: [String?: PulseDevice] = [:]
        return try (0..<options.streams).map { stream in
            let sink = Options.sink(of: stream)
            let device = try devices[sink] ?? PulseDevice(sink: sink)
            devices[sink] = device
            return try OutputPeer(options, stream: stream, device: device)
        }
    }

    private static func makeInputs(_ options: Options) throws -> [InputPeer] {
        let source = try PulseSource(source: options.source)
        return try (0..<options.streams).map { try InputPeer(options, stream: $0, source: source) }
    }

    func start() throws {
        for output in outputs { try output.queue.start() }
        for input in inputs { try input.queue.start() }
    }

    func pause() throws {
        for output in outputs { try output.queue.pause() }
        for input in inputs { try input.queue.pause() }
    }

    func stop() throws {
        for output in outputs { try output.queue.stop(immediate: true) }
        for input in inputs { try input.queue.stop(immediate: true) }
    }

    /// Waits until the end of the run. If the command line requests a pause, the kit pauses and resumes meanwhile.
    func waitForEnd() {
        // SAFETY: the peer outlives the wait, and the kit only calls back during the wait.
        unsafe peer_wait(
            { context in unsafe Peer.from(context).map { (try? $0.pause()) != nil } ?? false },
            { context in unsafe Peer.from(context).map { (try? $0.start()) != nil } ?? false },
            Unmanaged.passUnretained(self).toOpaque())
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Peer? {
        unsafe context.map { unsafe Unmanaged<Peer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Logs the sizes that were granted to the first queue, and the underruns and overruns of all queues.
    func noteGranted() {
        if let granted = outputs.first?.queue.granted {
            report("granted_total_frames", granted.targetFrames)
            report("granted_period_frames", granted.requestFrames)
        }
        if let granted = inputs.first?.queue.granted {
            report("granted_fragment_frames", granted.requestFrames)
        }
        let underruns = outputs.reduce(0) { $0 + $1.queue.underrunCount }
        let overruns = inputs.reduce(0) { $0 + $1.queue.overrunCount }
        for _ in 0..<underruns + overruns { peer_underrun() }
    }
}
