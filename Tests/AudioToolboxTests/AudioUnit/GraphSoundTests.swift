// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// Graphs and connections on a private server.
@Suite("Graphs with a device", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct GraphSoundTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    /// Makes units with the devices of the server.
    private func withDevices(_ make: () -> OSStatus) throws -> OSStatus {
        let output = try PulseDevice(server: "unix:\(server.socketPath)")
        let input = try PulseSource(source: "test.monitor", server: "unix:\(server.socketPath)")
        return TestDevices.with(output: output, input: input, make)
    }

    @Test("play what a mixer makes of a callback and of a converter, and follow changes")
    func mix() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let output = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
        let (mixer, converter) = (try rig.addMixer(), try rig.addConverter())
        let (high, low) = (Sine(1_000, sampleRate: 44_100), Sine(440, sampleRate: 22_050))
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.connect(converter, to: mixer, 1), noErr)
        var callbacks = unsafe (high.callback, low.callback)
        unsafe expectEqual(auGraphSetNodeInputCallback(rig.graph, mixer, 0, &callbacks.0), noErr)
        unsafe expectEqual(auGraphSetNodeInputCallback(rig.graph, converter, 0, &callbacks.1), noErr)
        try expectEqual(withDevices { unsafe auGraphOpen(rig.graph) }, noErr)
        let format = AudioStreamBasicDescription.float(isInterleaved: false, channels: 1, sampleRate: 22_050)
        try expectEqual(
            rig.unit(of: converter).set(
                kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: format), noErr)
        let capture = try MonitorCapture(server)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
        unsafe expectEqual(auGraphStart(rig.graph), noErr)
        #expect(rig.state.isRunning)
        #expect(capture.waitForSound(ofFrames: 72_000))
        // The converter is taken out of the running graph.
        unsafe expectEqual(auGraphDisconnectNodeInput(rig.graph, mixer, 1), noErr)
        expectEqual(rig.update(), noErr)
        #expect(capture.waitForSound(ofFrames: 144_000))
        unsafe expectEqual(auGraphStop(rig.graph), noErr)
        #expect(!rig.state.isRunning)
        let played = capture.stop()
        let start = try #require(played.firstSoundFrame())
        let end = try #require(played.lastSoundFrame())
        // A stall of the machine causes a gap, so one window without a gap suffices.
        let both = Spectrum.windows(of: played, frames: start + 12_000..<start + 60_000)
        #expect(both.contains { $0.hasAmplitudes([1_000: 0.25, 440: 0.25, 700: 0]) })
        let rest = Spectrum.windows(of: played, frames: end - 40_000..<end - 6_000)
        #expect(rest.contains { $0.hasAmplitudes([1_000: 0.25, 440: 0, 700: 0]) })
    }

    @Test("stop and end within a slice, and play again after another start") func lifeWithin() throws {
        let rig = try GraphRig()
        let output = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
        let mixer = try rig.addMixer()
        let calls = Tally()
        let source = CallbackSource(0.25) {
            calls.add()
            unsafe _ = auGraphStop(rig.graph)
        }
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(mixer, 0, source), noErr)
        try expectEqual(withDevices { unsafe auGraphOpen(rig.graph) }, noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
        for round in 1...3 {
            unsafe expectEqual(auGraphStart(rig.graph), noErr)
            #expect(eventually { calls.now >= round && !rig.state.isRunning })
        }
        let end = CallbackSource(0.25) {
            rig.end()
            calls.add(100)
        }
        expectEqual(rig.setCallback(mixer, 0, end), noErr)
        unsafe expectEqual(auGraphStart(rig.graph), noErr)
        #expect(eventually { calls.now >= 100 })
        expectEqual(rig.update(), kAudio_ParamError)
        let before = end.frames
        #expect(remains(forSeconds: 0.1) { end.frames == before })
    }

    @Test("convert captured frames on their way to the client") func captured() throws {
        var made: PulledUnitRig?
        let status = try withDevices {
            made = try? PulledUnitRig(kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
            return noErr
        }
        expectEqual(status, noErr)
        let device = try #require(made)
        let converter = try PulledUnitRig.converter()
        defer { for unit in [device, converter] { unit.end() } }
        expectEqual(
            device.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, to: UInt32(1)), noErr)
        expectEqual(
            device.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, to: UInt32(0)), noErr)
        let shorts = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 1, sampleRate: 44_100)
        expectEqual(converter.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, to: shorts), noErr)
        expectEqual(converter.connect(to: device, output: 1), noErr)
        let reader = Reader(converter)
        var callback = unsafe reader.callback
        unsafe expectEqual(
            audioUnitSetProperty(
                device.unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, &callback,
                UInt32(MemoryLayout<AURenderCallbackStruct>.size)), noErr)
        for unit in [device, converter] { unsafe expectEqual(audioUnitInitialize(unit.unit), noErr) }
        unsafe expectEqual(audioOutputUnitStart(device.unit), noErr)
        #expect(eventually { reader.bytes.now > 40_000 })
        unsafe expectEqual(audioOutputUnitStop(device.unit), noErr)
        expectEqual(reader.failures.now, 0)
    }
}

/// A callback that plays a sine of a quarter of full scale.
private final class Sine: Sendable {
    private let step: Double
    private let position = Mutex(0)

    init(_ frequency: Double, sampleRate: Double) { step = 2 * .pi * frequency / sampleRate }

    var callback: AURenderCallbackStruct {
        unsafe AURenderCallbackStruct(
            inputProc: { context, _, _, _, frames, list in
                let sine = unsafe Unmanaged<Sine>.fromOpaque(context).takeUnretainedValue()
                guard let list = unsafe UnsafeMutableAudioBufferListPointer(list) else { return -1 }
                let start = sine.position.withLock { position in
                    defer { position += Int(frames) }
                    return position
                }
                for buffer in 0..<(unsafe list.count) {
                    let floats = unsafe UnsafeMutableBufferPointer<Float>(list[buffer])
                    for frame in floats.indices {
                        unsafe floats[frame] = Float(0.25 * sin(Double(start + frame) * sine.step))
                    }
                }
                return noErr
            }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    }
}

/// An input callback that renders a converter.
private final class Reader: Sendable {
    let bytes = Tally()
    let failures = Tally()
    private let converter: PulledUnitRig

    init(_ converter: PulledUnitRig) { self.converter = converter }

    var callback: AURenderCallbackStruct {
        unsafe AURenderCallbackStruct(
            inputProc: { context, flags, time, _, frames, _ in
                let reader = unsafe Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue()
                var list = AudioBufferList()
                list.mNumberBuffers = 1
                let status = unsafe audioUnitRender(reader.converter.unit, flags, time, 0, frames, &list)
                guard status == noErr else {
                    reader.failures.add()
                    return status
                }
                unsafe reader.bytes.add(Int(list.mBuffers.mDataByteSize))
                return noErr
            }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    }
}

/// The amplitudes of frequencies in the first channel of a recording.
private struct Spectrum {
    private let samples: [Float]
    private let sampleRate: Double

    init(_ recording: Recording, frames: Range<Int>) {
        samples = frames.map { recording.samples[$0 * recording.channels] }
        sampleRate = Double(recording.sampleRate)
    }

    /// Spectra of a fifth of a second each, in which the frequencies of the tests have whole periods.
    static func windows(of recording: Recording, frames: Range<Int>) -> [Spectrum] {
        let length = recording.sampleRate / 5
        return stride(from: frames.lowerBound, to: frames.upperBound - length, by: length / 4).map {
            Spectrum(recording, frames: $0..<$0 + length)
        }
    }

    func hasAmplitudes(_ expected: [Double: Double]) -> Bool {
        expected.allSatisfy { abs(amplitude(of: $0.key) - $0.value) < 0.01 }
    }

    func amplitude(of frequency: Double) -> Double {
        let step = 2 * .pi * frequency / sampleRate
        var (cosine, sine) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            cosine += Double(sample) * cos(step * Double(index))
            sine += Double(sample) * sin(step * Double(index))
        }
        return 2 * (cosine * cosine + sine * sine).squareRoot() / Double(samples.count)
    }
}
