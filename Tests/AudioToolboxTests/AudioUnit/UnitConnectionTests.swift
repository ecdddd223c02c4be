// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Synchronization
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// Connections of units, which are rendered by hand.
@Suite("Connections of units") struct UnitConnectionTests {
    @Test("take the format over, and render the source") func chain() throws {
        let (output, mixer, converter) = (
            try PulledUnitRig.output(), try PulledUnitRig.mixer(), try PulledUnitRig.converter()
        )
        defer { for unit in [output, mixer, converter] { unit.end() } }
        let (direct, converted) = (CallbackSource(0.25), CallbackSource(0.5))
        let shorts = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: 44_100)
        expectEqual(converter.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, to: shorts), noErr)
        expectEqual(converter.setCallback(converted), noErr)
        expectEqual(mixer.setCallback(direct, input: 0), noErr)
        expectEqual(mixer.connect(3, to: converter), noErr)
        #expect(
            try mixer.get(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 3, as: shorts).isSame(
                as: shorts))
        expectEqual(output.connect(to: mixer), noErr)
        for unit in [converter, mixer, output] { unsafe expectEqual(audioUnitInitialize(unit.unit), noErr) }
        expectEqual(output.render(constant: 100), 0.75)
        #expect(direct.frames == 100 && converted.frames == 100)
        // A callback replaces a connection, and a connection a callback.
        expectEqual(mixer.setCallback(CallbackSource(0), input: 3), noErr)
        expectEqual(mixer.connect(3, to: converter), noErr)
        expectEqual(mixer.connect(0, to: nil), noErr)
        expectEqual(output.render(constant: 10), 0.5)
        unsafe expectEqual(
            audioUnitSetProperty(
                mixer.unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 3, nil, 0), noErr)
        expectEqual(output.render(constant: 10), 0)
    }

    @Test("end when the source is disposed of") func disposal() throws {
        let (output, source) = (try PulledUnitRig.output(), try PulledUnitRig.converter())
        defer { output.end() }
        let callback = CallbackSource(0.5)
        expectEqual(source.setCallback(callback), noErr)
        expectEqual(output.connect(to: source), noErr)
        unsafe expectEqual(audioUnitInitialize(output.unit), noErr)
        expectEqual(output.render(8).status, kAudioUnitErr_Uninitialized)
        unsafe expectEqual(audioUnitInitialize(source.unit), noErr)
        expectEqual(output.render(constant: 8), 0.5)
        source.end()
        expectEqual(output.render(8).status, kAudioUnitErr_NoConnection)
        expectEqual(output.connect(to: source), kAudioUnitErr_InvalidPropertyValue)
    }

    @Test("may be disposed of by a callback that they call") func disposalWithin() throws {
        let (output, source) = (try PulledUnitRig.output(), try PulledUnitRig.converter())
        let callback = CallbackSource(0.5) {
            source.end()
            output.end()
        }
        expectEqual(source.setCallback(callback), noErr)
        expectEqual(output.connect(to: source), noErr)
        for unit in [source, output] { unsafe expectEqual(audioUnitInitialize(unit.unit), noErr) }
        expectEqual(output.render(constant: 8, lends: false), 0.5)
        expectEqual(output.render(8).status, kAudio_ParamError)
    }

    @Test("in a cycle fail, and others are refused") func hostile() throws {
        let (one, other) = (try PulledUnitRig.converter(), try PulledUnitRig.converter())
        defer { for unit in [one, other] { unit.end() } }
        expectEqual(one.connect(to: other), noErr)
        expectEqual(other.connect(to: one), noErr)
        for unit in [one, other] { unsafe expectEqual(audioUnitInitialize(unit.unit), noErr) }
        expectEqual(one.render(8).status, kAudioUnitErr_CannotDoInCurrentContext)
        expectEqual(one.connect(to: one), kAudioUnitErr_InvalidPropertyValue)
        expectEqual(one.connect(to: other, output: 1), kAudioUnitErr_InvalidElement)
        expectEqual(one.connect(7, to: other), kAudioUnitErr_InvalidElement)
        expectEqual(
            one.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: UInt64(1)),
            kAudioUnitErr_InvalidPropertyValue)
        let unknown = try unsafe PulledUnitRig(unsafe #require(AudioUnit(bitPattern: 0xDEAD_0001)))
        expectEqual(one.connect(to: unknown), kAudioUnitErr_InvalidPropertyValue)
    }

    @Test("are limited in number, so that the stack of a thread suffices") func longChain() throws {
        let units = try (0..<20).map { _ in try PulledUnitRig.converter() }
        defer { for unit in units { unit.end() } }
        let source = CallbackSource(0.5)
        expectEqual(units[0].setCallback(source), noErr)
        for (unit, next) in zip(units, units.dropFirst()) { expectEqual(next.connect(to: unit), noErr) }
        for unit in units { unsafe expectEqual(audioUnitInitialize(unit.unit), noErr) }
        let results = Mutex<[OSStatus]>([])
        let status = DetachedThread.start(named: "renderer") {
            let statuses = [units[15].render(8).status, units[16].render(8).status]
            results.withLock { $0 = statuses }
        }
        expectEqual(status, 0)
        #expect(eventually { results.withLock { $0.count } == 2 })
        expectEqual(results.withLock { $0 }, [noErr, kAudioUnitErr_CannotDoInCurrentContext])
    }

    @Test("reach the output of an I/O unit, and its captured frames") func outputs() throws {
        let (device, mixer) = (
            try PulledUnitRig(kAudioUnitType_Output, kAudioUnitSubType_HALOutput), try PulledUnitRig.mixer()
        )
        defer { for unit in [device, mixer] { unit.end() } }
        let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 8_000)
        expectEqual(mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, to: format), noErr)
        expectEqual(device.connect(to: mixer), noErr)
        #expect(
            try device.get(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, as: format).isSame(
                as: format))
        expectEqual(device.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, to: format), noErr)
        expectEqual(mixer.connect(2, to: device, output: 1), noErr)
        #expect(
            try mixer.get(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 2, as: format).isSame(
                as: format))
        // The unit plays what it captures.
        expectEqual(device.connect(to: device, output: 1), noErr)
        expectEqual(device.connect(to: device, output: 0), kAudioUnitErr_InvalidElement)
        expectEqual(device.connect(1, to: mixer), kAudioUnitErr_InvalidElement)
        expectEqual(device.connect(to: nil), noErr)
        let player = try PulledUnitRig(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
        defer { player.end() }
        expectEqual(mixer.connect(0, to: player, output: 1), kAudioUnitErr_InvalidElement)
    }
}
