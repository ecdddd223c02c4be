// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQUnits
import CoreAudioTypes
import Glibc
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

@Suite("An I/O unit plays", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct UnitOutputTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("every frame of its code once, in order", arguments: [64, 512, 4096], [true, false])
    func exact(bufferFrames: Int, isInterleaved: Bool) throws {
        let rig = try UnitRig(server)
        try rig.unit.setMaximumFrames(4096)
        try rig.unit.setBufferFrames(bufferFrames)
        try rig.play(0..<48_000, isInterleaved: isInterleaved)
        let capture = try MonitorCapture(server)
        try rig.unit.initialize()
        try rig.unit.start()
        #expect(capture.waitForSignal(47_000))
        let played = capture.stop()
        rig.unit.stop()
        let runs = played.signalRuns(minimumFrames: 1)
        expectEqual(runs.first?.position, 0)
        expectEqual(runs.map(\.frames).reduce(0, +), 48_000)
        // A stall of the machine causes a gap, in which no frame is lost.
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $1.position == $0.position + $0.frames })
        let calls = rig.outputs
        #expect(calls.allSatisfy { $0.frames == bufferFrames })
        expectEqual(calls.first?.sampleTime, 0)
        let gaps = zip(calls, calls.dropFirst()).count {
            $1.sampleTime != $0.sampleTime + Double(bufferFrames)
        }
        expectEqual((gaps == 0), (rig.overloads == 0), "\(gaps) jumps, \(rig.overloads) overloads")
        #expect(runs.count == 1 || rig.overloads > 0)
        rig.unit.uninitialize()
    }

    // The recorder that keeps the sink's period short makes requests come at times that do not fit slices.
    @Test(
        "a slice one slice before it is audible, whatever the period of a sink is",
        arguments: [256, 512, 1024],
        [true, false])
    func latency(bufferFrames: Int, keepsPeriodShort: Bool) throws {
        var options = PulseServer.Options()
        options.keepsPeriodShort = keepsPeriodShort
        let server = try PulseServer(options)
        defer { server.stop() }
        let rig = try UnitRig(server)
        try rig.unit.setMaximumFrames(4096)
        try rig.unit.setBufferFrames(bufferFrames)
        try rig.play(0..<96_000)
        try rig.unit.initialize()
        try rig.unit.start()
        #expect(
            HostClock.poll(upToSeconds: 10) { rig.outputs.last.map { $0.position >= 96_000 } ?? false })
        rig.unit.stop()
        rig.unit.uninitialize()
        // The first second includes the sink's change of its period.
        let calls = rig.outputs.filter { $0.position >= 48_000 }
        let slices = calls.map {
            (Double($0.hostTime) - Double($0.entryTime)) / 1e9 * 48_000 / Double(bufferFrames)
        }.sorted()
        let (median, spread) = (
            slices[slices.count / 2], slices[slices.count * 9 / 10] - slices[slices.count / 10]
        )
        // A server of whole periods takes one before it is audible, and half of the next is rendered by then. The
        // clock follows its positions at the starts of periods.
        let periods = Double(SoundServerTraits.chosen.heldBackFrames) / Double(bufferFrames)
        #expect(0.4 < median && median < 1.2 + 1.5 * periods, "\(median) slices")
        #expect(spread < 0.4 + periods, "\(spread) slices")
    }

    @Test("samples of 16 bits and another rate, which the server converts")
    func converted() throws {
        let unit = IOUnit(outputDevice: try PulseDevice(server: server.address), inputDevice: nil)
        try unit.setClientFormat(.signedInteger(bits: 16, channels: 2, sampleRate: 22_050), .output)
        let calls = Tally()
        unsafe unit.setRenderCode { _, _, _, frames, list in
            calls.add(frames)
            guard let list = unsafe list else { return -1 }
            let shorts = unsafe UnsafeMutableBufferPointer<Int16>(list.pointee.mBuffers)
            for index in shorts.indices { unsafe shorts[index] = 8_192 }
            return 0
        }
        let capture = try MonitorCapture(server)
        try unit.initialize()
        try unit.start()
        #expect(capture.waitForSound(ofFrames: 48_000))
        unit.stop()
        let played = capture.stop()
        #expect(played.gaps().isEmpty)
        let middle = played.samples[played.samples.count / 2]
        #expect(abs(middle - 0.25) < 0.01 || middle == 0)
        #expect(calls.now >= 22_050)
        unit.uninitialize()
    }

    @Test("silence without code, after an error, and for slices that are marked as silent")
    func silence() throws {
        let unit = IOUnit(outputDevice: try PulseDevice(server: server.address), inputDevice: nil)
        try unit.setClientFormat(.float(channels: 2, sampleRate: 48_000), .output)
        let capture = try MonitorCapture(server)
        try unit.initialize()
        try unit.start()
        #expect(HostClock.poll(upToSeconds: 5) { unit.takeLastRenderError() == -10876 })
        let errors = Tally()
        unsafe unit.setRenderCode { actions, _, _, frames, list in
            guard let list = unsafe list else { return -1 }
            let floats = unsafe UnsafeMutableBufferPointer<Float>(list.pointee.mBuffers)
            for index in floats.indices { unsafe floats[index] = 0.5 }
            if errors.add(1) % 2 == 0 { return -1 }
            unsafe actions.pointee.insert(.outputIsSilence)
            return 0
        }
        #expect(HostClock.poll(upToSeconds: 5) { errors.now > 50 })
        expectEqual(unit.takeLastRenderError(), -1)
        unit.stop()
        expectEqual(capture.stop().soundFrames(), 0)
        unit.uninitialize()
    }

    @Test("until a stop, after which its code is not called anymore, also if the code is slow")
    func stop() throws {
        let unit = IOUnit(outputDevice: try PulseDevice(server: server.address), inputDevice: nil)
        let isInside = Tally()
        let calls = Tally()
        unsafe unit.setRenderCode { _, _, _, _, _ in
            isInside.now = 1
            calls.add(1)
            usleep(30_000)
            isInside.now = 0
            return 0
        }
        try unit.initialize()
        for _ in 0..<20 {
            try unit.start()
            let before = calls.now
            #expect(HostClock.poll(upToSeconds: 5) { calls.now > before })
            unit.stop()
            expectEqual(isInside.now, 0)
            let count = calls.now
            usleep(20_000)
            expectEqual(calls.now, count)
            #expect(!unit.isRunning)
        }
        unit.uninitialize()
    }

    @Test("until its own code stops it, or ends it")
    func stopInside() throws {
        for ends in [false, true] {
            let unit = IOUnit(outputDevice: try PulseDevice(server: server.address), inputDevice: nil)
            let calls = Tally()
            unsafe unit.setRenderCode { [weak unit] _, _, _, _, _ in
                if calls.add(1) == 10 {
                    if ends { unit?.uninitialize() } else { unit?.stop() }
                }
                return 0
            }
            try unit.initialize()
            try unit.start()
            #expect(HostClock.poll(upToSeconds: 5) { !unit.isRunning })
            expectEqual(calls.now, 10)
            #expect(unit.isInitialized != ends)
            if !ends {
                try unit.start()
                #expect(HostClock.poll(upToSeconds: 5) { calls.now > 20 })
            }
            unit.uninitialize()
        }
    }

    @Test("until its own first call stops it, also before its start has returned", arguments: [false, true])
    func stopInFirstCall(hasInput: Bool) throws {
        for _ in 0..<5 {
            let unit = IOUnit(
                outputDevice: try PulseDevice(server: server.address),
                inputDevice: try PulseSource(source: "test.monitor", server: server.address))
            try unit.setEnabled(hasInput, .input)
            let calls = Tally()
            unsafe unit.setRenderCode { [weak unit] _, _, _, _, _ in
                if calls.add(1) == 1 { unit?.stop() }
                return 0
            }
            try unit.initialize()
            try unit.start()
            #expect(HostClock.poll(upToSeconds: 5) { calls.now > 0 && !unit.isRunning })
            usleep(50_000)
            expectEqual(calls.now, 1)
            #expect(!unit.isRunning)
            try unit.start()
            #expect(HostClock.poll(upToSeconds: 5) { calls.now > 10 })
            unit.uninitialize()
        }
    }

    @Test("with the preferred length of slices of each initialization, unless another is set")
    func preferredBufferFrames() throws {
        let unit = IOUnit(outputDevice: try PulseDevice(server: server.address), inputDevice: nil)
        for frames in [256, 128, 10] {
            unit.setPreferredBufferFrames { sampleRate in sampleRate == 48_000 ? frames : nil }
            try unit.initialize()
            expectEqual(unit.bufferFrames, max(frames, 64))
            unit.uninitialize()
        }
        try unit.setBufferFrames(2048)
        try unit.initialize()
        expectEqual(unit.bufferFrames, 2048)
        unit.uninitialize()
    }

    @Test("with a new length of slices, while it runs")
    func bufferFrames() throws {
        let rig = try UnitRig(server)
        try rig.play(0..<480_000)
        try rig.unit.initialize()
        try rig.unit.start()
        for frames in [64, 256, 4096, 128] {
            try rig.unit.setBufferFrames(frames)
            let expected = min(frames, 512)
            let count = rig.outputs.count
            #expect(HostClock.poll(upToSeconds: 5) { rig.outputs.count > count + 3 })
            expectEqual(rig.outputs.last?.frames, expected)
            #expect(rig.unit.isRunning)
        }
        rig.unit.uninitialize()
    }
}
