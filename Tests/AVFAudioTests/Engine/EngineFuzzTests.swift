// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import Synchronization
import AQTestSupport
import Testing

/// With AQ_LONG=1, 10,000 sequences.
@Suite("Random changes of a graph", .timeLimit(.minutes(30)))
struct EngineFuzzTests {
    @Test("neither trap nor hang while another thread renders it")
    func changes() throws {
        for seed in 0..<(Environment.isLong ? 10_000 : 100) { try sequence(UInt64(seed)) }
    }

    private func sequence(_ seed: UInt64) throws {
        let rig = Rig(seed: seed)
        let isDone = Atomic<Bool>(false)
        nonisolated(unsafe) let engine = rig.engine
        unsafe try engine.enableManualRenderingMode(.realtime, format: rig.format, maximumFrameCount: 256)
        _ = unsafe engine.mainMixerNode
        unsafe try engine.start()
        nonisolated(unsafe) let render = unsafe engine.manualRenderingBlock
        let thread = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
            if let buffer = format.flatMap({ AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 256) }) {
                buffer.frameLength = 256
                while !isDone.load(ordering: .acquiring) {
                    unsafe _ = render(256, buffer.mutableAudioBufferList, nil)
                    sched_yield()
                }
            }
            thread.signal()
        }
        for _ in 0..<30 { rig.step() }
        isDone.store(true, ordering: .releasing)
        thread.wait()
        unsafe engine.stop()
        unsafe #expect(!engine.isRunning)
    }

    /// An engine with nodes, and random calls of them.
    private final class Rig {
        let engine = AVAudioEngine()
        let format: AVAudioFormat
        private var random: UInt64
        private var nodes: [AVAudioNode] = []
        private let buffer: AVAudioPCMBuffer

        init(seed: UInt64) {
            random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
            guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
                let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100)
            else { preconditionFailure("no format") }
            buffer.frameLength = 100
            (self.format, self.buffer) = (format, buffer)
        }

        private func next(_ count: Int) -> Int {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Int(random % UInt64(count))
        }

        private var node: AVAudioNode { nodes.isEmpty ? engine.mainMixerNode : nodes[next(nodes.count)] }

        func step() {
            switch next(15) {
            case 0, 1: attach()
            case 2: if !nodes.isEmpty { engine.detach(nodes.remove(at: next(nodes.count))) }
            case 3, 4, 5:
                let formats = [nil, format, AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)]
                engine.connect(node, to: next(2) == 0 ? engine.mainMixerNode : node, format: formats[next(3)])
            case 6: engine.disconnectNodeOutput(node)
            case 7: engine.disconnectNodeInput(node)
            case 8: node.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in }
            case 9: node.removeTap(onBus: 0)
            case 10: _ = (node.lastRenderTime, node.outputFormat(forBus: 0), node.inputFormat(forBus: 0))
            case 11: (node as? any AVAudioMixing)?.volume = Float(next(10)) / 10
            case 12: if next(8) == 0 { engine.reset() } else { node.reset() }
            default: play()
            }
        }

        private func attach() {
            let made: AVAudioNode =
                switch next(10) {
                case 0: AVAudioMixerNode()
                case 1: AVAudioUnitEQ(numberOfBands: 2)
                case 2: AVAudioUnitVarispeed()
                case 3: AVAudioUnitDelay()
                case 4: AVAudioUnitReverb()
                case 5: AVAudioUnitDistortion()
                case 6: AVAudioUnitTimePitch()
                case 7: unsafe AVAudioSourceNode { _, _, _, _ in noErr }
                default: AVAudioPlayerNode()
                }
            engine.attach(made)
            nodes.append(made)
        }

        private func play() {
            guard let player = node as? AVAudioPlayerNode else { return }
            switch next(6) {
            case 0: player.stop()
            case 1: player.pause()
            case 2: player.play()
            case 3: player.play(at: AVAudioTime(sampleTime: Int64(next(5_000)), atRate: 48_000))
            case 4:
                player.scheduleBuffer(
                    buffer, at: nil, options: [.interrupts, .loops], completionHandler: nil)
            default:
                nonisolated(unsafe) let again = player
                player.scheduleBuffer(buffer) { unsafe again.pause() }
            }
        }
    }
}
