// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import Testing

@Suite("AVAudioEngine, rendered by a caller")
struct GraphTests {
    private static func fill(_ list: UnsafeMutablePointer<AudioBufferList>, _ value: Float) {
        let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
        for index in unsafe buffers.indices {
            unsafe buffers[index].mData?.assumingMemoryBound(to: Float.self).update(
                repeating: value, count: Int(buffers[index].mDataByteSize) / 4)
        }
    }

    /// A source of a constant.
    private func source(_ value: Float, _ format: AVAudioFormat? = nil) -> AVAudioSourceNode {
        let block: AVAudioSourceNodeRenderBlock = { _, _, frames, list in
            unsafe Self.fill(list, value)
            return noErr
        }
        return unsafe format.map { unsafe AVAudioSourceNode(format: $0, renderBlock: block) }
            ?? AVAudioSourceNode(renderBlock: block)
    }

    @Test("mixes any number of sources with their volumes and positions")
    func mix() throws {
        let rig = try OfflineRig()
        let sources = (0..<5).map { _ in source(0.1) }
        for node in sources {
            rig.engine.attach(node)
            rig.engine.connect(node, to: rig.engine.mainMixerNode, format: nil)
        }
        sources[1].volume = 0.5
        sources[2].pan = -1
        sources[3].pan = 0.5
        sources[4].volume = 0
        try rig.engine.start()
        let samples = try rig.render(1_024)
        #expect(abs(samples[0][1_000] - (0.1 + 0.05 + 0.1 + 0.05)) < 1e-6)
        #expect(abs(samples[1][1_000] - (0.1 + 0.05 + 0 + 0.1)) < 1e-6)
        rig.engine.mainMixerNode.outputVolume = 0.5
        #expect(abs(try rig.render(1_024)[0][1_000] - 0.15) < 1e-6)
        expectEqual(rig.engine.mainMixerNode.numberOfInputs, 6)
        expectEqual(rig.engine.mainMixerNode.nextAvailableInputBus, 5)
    }

    @Test("changes the graph while it runs: each change is heard with the next slice")
    func changes() throws {
        let rig = try OfflineRig()
        let (one, two) = (source(0.25), source(0.5))
        rig.engine.attach(one)
        rig.engine.connect(one, to: rig.engine.mainMixerNode, format: nil)
        try rig.engine.start()
        #expect(try rig.render(100)[0].allSatisfy { $0 == 0.25 })
        rig.engine.attach(two)
        rig.engine.connect(two, to: rig.engine.mainMixerNode, format: nil)
        #expect(try rig.render(100)[0].allSatisfy { $0 == 0.75 })
        rig.engine.disconnectNodeOutput(one)
        #expect(try rig.render(100)[0].allSatisfy { $0 == 0.5 })
        rig.engine.detach(two)
        expectEqual(two.engine, nil)
        #expect(try rig.render(100)[0].allSatisfy { $0 == 0 })
        #expect(rig.engine.attachedNodes.contains(one))
    }

    @Test("gives one source to several inputs, rendered once")
    func branches() throws {
        let rig = try OfflineRig()
        let calls = Atomic<Int>(0)
        let node = unsafe AVAudioSourceNode { _, _, _, list in
            calls.add(1, ordering: .relaxed)
            unsafe Self.fill(list, 0.125)
            return noErr
        }
        let mixers = [AVAudioMixerNode(), AVAudioMixerNode()]
        rig.engine.attach(node)
        for mixer in mixers {
            rig.engine.attach(mixer)
            rig.engine.connect(mixer, to: rig.engine.mainMixerNode, format: nil)
        }
        rig.engine.connect(
            node, to: mixers.map { AVAudioConnectionPoint(node: $0, bus: 0) }, fromBus: 0, format: nil)
        try rig.engine.start()
        #expect(try rig.render(512)[0].allSatisfy { $0 == 0.25 })
        expectEqual(calls.load(ordering: .relaxed), 1)
        expectEqual(rig.engine.outputConnectionPoints(for: node, outputBus: 0).count, 2)
        #expect(rig.engine.inputConnectionPoint(for: mixers[1], inputBus: 0)?.node === node)
    }

    @Test("converts the rate, the channels and the samples of a source")
    func formats() throws {
        let rig = try OfflineRig()
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
        let node = unsafe AVAudioSourceNode(format: format) { _, time, frames, list in
            let samples = unsafe UnsafeMutableAudioBufferListPointer(list)[0].mData?
                .assumingMemoryBound(to: Int16.self)
            for frame in 0..<Int(frames) {
                let phase = unsafe 2 * Double.pi * 200 / 16_000 * (time.pointee.mSampleTime + Double(frame))
                unsafe samples?[frame] = Int16(16_384 * sin(phase))
            }
            return noErr
        }
        rig.engine.attach(node)
        rig.engine.connect(node, to: rig.engine.mainMixerNode, format: nil)
        try rig.engine.start()
        let samples = try rig.render(9_600)
        let worst = (500..<9_600).map { frame in
            abs(Double(samples[1][frame]) - 0.5 * sin(2 * .pi * 200 / 48_000 * Double(frame)))
        }.max()
        #expect((worst ?? 1) < 2e-3, "\(worst ?? 1)")
        expectEqual(node.outputFormat(forBus: 0).sampleRate, 16_000)
    }

    @Test("ignores connections that it cannot make, and cycles")
    func misuse() throws {
        let rig = try OfflineRig()
        let (one, two, foreign) = (AVAudioMixerNode(), AVAudioMixerNode(), AVAudioMixerNode())
        rig.engine.attach(one)
        rig.engine.attach(two)
        rig.engine.connect(one, to: two, format: nil)
        rig.engine.connect(two, to: one, format: nil)
        expectEqual(rig.engine.inputConnectionPoint(for: one, inputBus: 0), nil)
        rig.engine.connect(foreign, to: one, format: nil)
        rig.engine.connect(one, to: two, fromBus: 3, toBus: 0, format: nil)
        rig.engine.connect(one, to: two, fromBus: 0, toBus: -1, format: nil)
        rig.engine.connect(one, to: one, format: nil)
        rig.engine.detach(foreign)
        #expect(rig.engine.inputConnectionPoint(for: two, inputBus: 0)?.node === one)
        expectEqual(one.inputFormat(forBus: -1).channelCount, 0)
        expectEqual(one.outputFormat(forBus: 7).sampleRate, 0)
    }

    @Test("states why it does not render")
    func errors() throws {
        let rig = try OfflineRig(maximumFrames: 128)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rig.format, frameCapacity: 512))
        func code(_ body: () throws -> Void) -> Int {
            do { try body() } catch { return (error as NSError).code }
            return 0
        }
        expectEqual(code { _ = try rig.engine.renderOffline(64, to: buffer) }, -80802)
        try rig.engine.start()
        expectEqual(code { _ = try rig.engine.renderOffline(512, to: buffer) }, -10874)
        expectEqual(code { _ = try rig.engine.renderOffline(600, to: buffer) }, -50)
        expectEqual(
            code {
                try rig.engine.enableManualRenderingMode(.realtime, format: rig.format, maximumFrameCount: 64)
            }, -80801)
        _ = try rig.engine.renderOffline(100, to: buffer)
        expectEqual(buffer.frameLength, 100)
        expectEqual(rig.engine.manualRenderingSampleTime, 100)
        rig.engine.reset()
        expectEqual(rig.engine.manualRenderingSampleTime, 0)
        rig.engine.stop()
        rig.engine.disableManualRenderingMode()
        expectEqual(rig.engine.manualRenderingFormat.channelCount, 0)
        expectEqual(code { _ = try rig.engine.renderOffline(64, to: buffer) }, -80801 + 1)
    }

    @Test("passes all of what a node renders to its tap, in order and without a gap")
    func tap() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        let got = Mutex<(samples: [Float], times: [Int64], lengths: [UInt32])>(([], [], []))
        rig.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_000, format: nil) { buffer, time in
            got.withLock { got in
                guard let data = unsafe buffer.floatChannelData else { return }
                unsafe got.samples += Array(
                    UnsafeBufferPointer(start: data[0], count: Int(buffer.frameLength)))
                got.times.append(time.sampleTime)
                got.lengths.append(buffer.frameLength)
            }
        }
        player.scheduleBuffer(
            try OfflineRig.buffer(20_000) { frame, _ in Float(frame) / 32_768 }, completionHandler: nil)
        player.play()
        let samples = try rig.render(20_480)
        let (tapped, times, lengths) = got.withLock { ($0.samples, $0.times, $0.lengths) }
        expectEqual(tapped, Array(samples[0][0..<20_000]))
        expectEqual(times, (0..<20).map { Int64($0) * 1_000 })
        #expect(lengths.allSatisfy { $0 == 1_000 })
        rig.engine.mainMixerNode.removeTap(onBus: 0)
        _ = try rig.render(4_096)
        expectEqual(got.withLock { $0.times.count }, 20)
    }

    @Test("gets the input of manual rendering from a block, and says if it is short")
    func manualInput() throws {
        let rig = try OfflineRig(channels: 1)
        let input = try OfflineRig.buffer(4_096, channels: 1) { frame, _ in Float(frame) / 4_096 }
        let isShort = Atomic<Bool>(false)
        #expect(
            unsafe rig.engine.inputNode.setManualRenderingInputPCMFormat(rig.format) { frames in
                input.frameLength = isShort.load(ordering: .relaxed) ? frames / 2 : frames
                return unsafe input.audioBufferList
            })
        rig.engine.connect(rig.engine.inputNode, to: rig.engine.mainMixerNode, format: nil)
        try rig.engine.start()
        try expectEqual(rig.render(256, slice: 256)[0], (0..<256).map { Float($0) / 4_096 })
        isShort.store(true, ordering: .relaxed)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rig.format, frameCapacity: 256))
        try expectEqual(rig.engine.renderOffline(256, to: buffer), .insufficientDataFromInputNode)
    }

    @Test("lets the code of a source call players and the engine", .timeLimit(.minutes(20)))
    func callsWhileRendering() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        nonisolated(unsafe) let (engine, node) = (rig.engine, player)
        let format = rig.format
        let inner = Mutex<AVAudioEngineManualRenderingStatus?>(nil)
        let source = unsafe AVAudioSourceNode { _, _, _, list in
            unsafe Self.fill(list, 0.125)
            unsafe node.stop()
            unsafe engine.reset()
            unsafe node.play()
            unsafe _ = (node.lastRenderTime, engine.manualRenderingSampleTime)
            if let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64) {
                let status = unsafe try? engine.renderOffline(64, to: buffer)
                inner.withLock { $0 = status }
            }
            return noErr
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: nil)
        try rig.engine.start()
        #expect(try rig.render(512)[0].allSatisfy { $0 == 0.125 })
        expectEqual(inner.withLock { $0 }, .cannotDoInCurrentContext)
        #expect(player.isPlaying)
        // Its code refers to the engine.
        rig.engine.detach(source)
    }

    @Test("releases nodes, buffers and itself")
    func release() throws {
        weak var engine: AVAudioEngine?
        weak var player: AVAudioPlayerNode?
        weak var buffer: AVAudioPCMBuffer?
        do {
            let rig = try OfflineRig()
            let node = try rig.player()
            let sound = try OfflineRig.buffer(100) { _, _ in 0 }
            (engine, player, buffer) = (rig.engine, node, sound)
            try rig.engine.start()
            node.scheduleBuffer(sound, completionHandler: nil)
            node.play()
            _ = try rig.render(1_000)
        }
        expectEqual(engine, nil)
        expectEqual(player, nil)
        #expect(OfflineRig.wait { buffer == nil })
    }

    @Test(
        "releases the code of a source that is detached while nothing is rendered", arguments: [false, true])
    func releaseDetached(isStopped: Bool) throws {
        let rig = try OfflineRig()
        weak var buffer: AVAudioPCMBuffer?
        do {
            let sound = try OfflineRig.buffer(100) { _, _ in 0 }
            buffer = sound
            let source = unsafe AVAudioSourceNode { _, _, _, list in
                unsafe Self.fill(list, 0.125)
                return sound.frameLength > 0 ? noErr : -1
            }
            rig.engine.attach(source)
            rig.engine.connect(source, to: rig.engine.mainMixerNode, format: nil)
            try rig.engine.start()
            _ = try rig.render(256, slice: 256)
            if isStopped { rig.engine.stop() }
            rig.engine.detach(source)
        }
        #expect(OfflineRig.wait { buffer == nil })
    }

    @Test("releases the code of its input")
    func releaseInput() throws {
        weak var buffer: AVAudioPCMBuffer?
        do {
            let rig = try OfflineRig()
            let input = try OfflineRig.buffer(512) { _, _ in 0 }
            buffer = input
            #expect(
                unsafe rig.engine.inputNode.setManualRenderingInputPCMFormat(rig.format) { _ in
                    unsafe input.audioBufferList
                })
            rig.engine.connect(rig.engine.inputNode, to: rig.engine.mainMixerNode, format: nil)
            try rig.engine.start()
            _ = try rig.render(256, slice: 256)
        }
        #expect(OfflineRig.wait { buffer == nil })
    }
}
