// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAllocationMeter
import CoreAudioTypes
import Dispatch
import Glibc
import Testing

@testable import AQGraphs

@Suite("Rendering a graph")
struct RenderCostTests {
    /// A graph with nodes of all kinds: players of three rates, an equalizer, a delay, a reverb, varispeed, a branch and
    /// a tap.
    private final class Rig {
        let renderer = GraphRenderer()
        let players = (0..<6).map { _ in PlayerElement() }
        let tap: Tap
        private let equalizer = EqualizerElement(bandCount: 4)
        private let effects: [any GraphElement]
        private let mixers = [MixerElement(), MixerElement()]
        private var builder = PlanBuilder()
        private let memory = PlanarMemory(channels: 2, capacityFrames: 512)
        private var time: Int64 = 0

        init() {
            let format = GraphFormat(sampleRate: 48_000, channels: 2)
            tap = Tap(format: format, bufferFrames: 1_024, maximumFrames: 512) { _, _ in }
            let speed = SpeedElement(rates: 0.25...4) { _, channels in VarispeedResampler(channels: channels)
            }
            speed.rate.value = 1.2
            effects = [equalizer, DelayElement(), ReverbElement(), speed]
            for band in equalizer.bands {
                band.bypass.isOn = false
                band.gain.value = 3
            }
        }

        func publish(without absent: Int? = nil) {
            let format = GraphFormat(sampleRate: 48_000, channels: 2)
            let rates = [48_000.0, 44_100, 24_000]
            var shape = GraphShape(maximumFrames: 512)
            var inputs: [GraphShape.Connection?] = []
            for index in players.indices {
                guard index != absent else {
                    inputs.append(nil)
                    continue
                }
                let own = GraphFormat(sampleRate: rates[index % 3], channels: 1 + index % 2)
                shape.nodes[10 + index] = GraphShape.Node(players[index], format: own)
                inputs.append(GraphShape.Connection(source: 10 + index, format: format, mix: MixControls()))
            }
            shape.nodes[1] = GraphShape.Node(mixers[0], format: format)
            shape.nodes[1]?.inputs = inputs
            for (index, effect) in effects.enumerated() {
                shape.nodes[2 + index] = GraphShape.Node(effect, format: format)
                shape.nodes[2 + index]?.inputs = [GraphShape.Connection(source: 1 + index, format: format)]
            }
            shape.nodes[9] = GraphShape.Node(mixers[1], format: format)
            shape.nodes[9]?.inputs = [
                GraphShape.Connection(source: 5, format: format, mix: MixControls())
            ]
            shape.nodes[9]?.tap = tap
            shape.output = 9
            renderer.replacePlan(builder.plan(shape))
        }

        func render() -> Bool {
            defer { time += 512 }
            return renderer.renderOutput(memory.prefix(512), SliceTime(sampleTime: time, hostTime: 1_000))
        }

        func schedule(_ player: Int, frames: Int) throws {
            let list = unsafe AudioBufferList.allocate(maximumBuffers: 1)
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames)
            unsafe samples.initialize(repeating: 0.25, count: frames)
            unsafe list[0] = unsafe AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(frames * 4), mData: samples)
            let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 48_000)
            let reader = try #require(unsafe SampleReader(format, list))
            // The memory stays for the life of the process.
            players[player].schedule(
                PlayItem(
                    BufferContent(reader, frames: frames, owner: 0), start: .next, moment: .heard,
                    on: .global(), {}))
            unsafe free(list.unsafeMutablePointer)
        }
    }

    @Test(
        "neither allocates memory nor locks, also when the graph changes and items end",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
    func cost() throws {
        let rig = Rig()
        rig.publish()
        for player in 0..<6 { for _ in 0..<40 { try rig.schedule(player, frames: 20_000) } }
        for player in rig.players { player.play(.now) }
        for _ in 0..<64 { _ = rig.render() }
        var (allocations, locks, silent) = (0, 0, 0)
        for slice in 0..<1_000 {
            // Changes are made between slices, as by another thread.
            if slice % 50 == 0 { rig.publish(without: slice % 100 == 0 ? 3 : nil) }
            if slice % 70 == 0 { try rig.schedule(slice % 6, frames: 1_000) }
            let before = (aq_meter_allocations(), aq_meter_locks())
            if !rig.render() { silent += 1 }
            allocations += aq_meter_allocations() - before.0
            locks += aq_meter_locks() - before.1
        }
        expectEqual(allocations, 0)
        expectEqual(locks, 0)
        expectEqual(silent, 0)
        expectEqual(rig.tap.lostFrames, 0)
        rig.tap.end()
    }

    @Test(
        "is counted: a node that allocates is noticed",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
    func meter() {
        let before = aq_meter_allocations()
        let memory = PlanarMemory(channels: 1, capacityFrames: 64)
        #expect(aq_meter_allocations() > before)
        expectEqual(memory.channels, 1)
    }
}
