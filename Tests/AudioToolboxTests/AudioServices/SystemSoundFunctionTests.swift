// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation
import Glibc
import AQSoundHarness
import Synchronization
import AQSystemSounds
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// The C functions for system sounds, on a manual device.
@Suite("Functions of AudioServices.h") struct SystemSoundFunctionTests {
    private let folder = ScratchFolder()
    private let device = ManualDevice()

    private func sound(frames: Int, of sample: Int16 = 1000) throws -> SystemSoundCalls {
        let wave = RIFFBytes.wave([Int16](repeating: sample, count: frames), sampleRate: 48_000)
        return SystemSoundCalls(try folder.write(wave, to: "sound.wav"))
    }

    /// Renders until a condition holds, and returns the number of frames that were not silent.
    private func render(until condition: () -> Bool) -> Int {
        var frames = 0
        let isMet = eventually(within: 10) {
            for bytes in device.render(frames: 480) {
                frames += stride(from: 0, to: bytes.count, by: 2).count {
                    bytes[$0] != 0 || bytes[$0 + 1] != 0
                }
            }
            return condition()
        }
        #expect(isMet)
        return frames
    }

    @Test("a sound of a file is played whole, then its block is called once") func play() throws {
        let sound = try sound(frames: 20_000)
        expectEqual(sound.status, kAudioServicesNoError)
        #expect(sound.number > kSystemSoundID_UserPreferredAlert)
        let calls = Atomic(0)
        SystemSoundCalls.play(sound.number, on: device) { calls.add(1, ordering: .sequentiallyConsistent) }
        #expect(eventually { device.openStreams == 1 })
        expectEqual(render { calls.load(ordering: .sequentiallyConsistent) == 1 }, 20_000)
        #expect(remains(forSeconds: 0.05) { calls.load(ordering: .sequentiallyConsistent) == 1 })
    }

    @Test("an alert is played, with and without a block, and NULL is no block") func alert() throws {
        let sound = try sound(frames: 480)
        let calls = Atomic(0)
        _ = TestDevices.with(output: device) {
            audioServicesPlayAlertSound(sound.number)
            audioServicesPlayAlertSoundWithCompletion(sound.number, nil)
            audioServicesPlaySystemSoundWithCompletion(sound.number, nil)
            audioServicesPlayAlertSoundWithCompletion(sound.number) {
                calls.add(1, ordering: .sequentiallyConsistent)
            }
            return noErr
        }
        #expect(eventually { device.openStreams == 4 })
        _ = render { device.openStreams == 0 }
        #expect(eventually { calls.load(ordering: .sequentiallyConsistent) == 1 })
    }

    @Test(
        "the block of a number without a sound is called",
        arguments: [kSystemSoundID_Vibrate, kSystemSoundID_FlashScreen, 1519, 0, .max])
    func silent(number: SystemSoundID) {
        let calls = Atomic(0)
        SystemSoundCalls.play(number, on: device) { calls.add(1, ordering: .sequentiallyConsistent) }
        #expect(eventually { calls.load(ordering: .sequentiallyConsistent) == 1 })
        expectEqual(device.openStreams, 0)
    }

    @Test("the user's alert is a beep") func beep() {
        let calls = Atomic(0)
        expectEqual(kUserPreferredAlert, kSystemSoundID_UserPreferredAlert)
        SystemSoundCalls.play(kSystemSoundID_UserPreferredAlert, on: device) {
            calls.add(1, ordering: .sequentiallyConsistent)
        }
        #expect(eventually { device.openStreams == 1 })
        #expect(render { calls.load(ordering: .sequentiallyConsistent) == 1 } > 6000)
    }

    @Test("a disposed sound stops, its block is called, and its number is unknown") func dispose() throws {
        let sound = try sound(frames: 480_000)
        let calls = Atomic(0)
        SystemSoundCalls.play(sound.number, on: device) { calls.add(1, ordering: .sequentiallyConsistent) }
        #expect(eventually { device.openStreams == 1 })
        _ = device.render(frames: 960)
        let ends = SoundEnds()
        let added = unsafe audioServicesAddSystemSoundCompletion(
            sound.number, CFRunLoopGetCurrent(), nil, recordSoundEnd, ends.clientData)
        expectEqual(added, kAudioServicesNoError)
        expectEqual(audioServicesDisposeSystemSoundID(sound.number), kAudioServicesNoError)
        #expect(eventually { device.openStreams == 0 })
        #expect(eventually { calls.load(ordering: .sequentiallyConsistent) == 1 })
        let unknown = kAudioServicesSystemSoundUnspecifiedError
        expectEqual(audioServicesDisposeSystemSoundID(sound.number), unknown)
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.02, false)
        expectEqual(ends.all, [], "the procedure ended with the sound")
    }

    @Test("only sounds of the program can be disposed of")
    func disposeBuiltIn() {
        let unknown = kAudioServicesSystemSoundUnspecifiedError
        expectEqual(audioServicesDisposeSystemSoundID(kSystemSoundID_UserPreferredAlert), unknown)
        expectEqual(audioServicesDisposeSystemSoundID(1007), unknown)
        expectEqual(audioServicesDisposeSystemSoundID(0), unknown)
    }

    @Test("files that are not sounds have their results, and make no number") func badFiles() throws {
        var number: SystemSoundID = 77
        func create(_ path: String) -> OSStatus {
            unsafe audioServicesCreateSystemSoundID(url(of: path), &number)
        }
        let unreadable = kAudioServicesSystemSoundUnspecifiedError
        expectEqual(create(folder.file("missing.wav")), unreadable)
        expectEqual(create(folder.path), unreadable)
        expectEqual(create(ToolPaths.fixture("tune-cbr.mp3")), unreadable)
        expectEqual(create(ToolPaths.fixture("README.md")), unreadable)
        let long = RIFFBytes.wave([Int16](repeating: 1, count: 30 * 8000 + 1))
        let path = try folder.write(long, to: "long.wav")
        expectEqual(create(path), kAudioServicesSystemSoundExceededMaximumDurationError)
        unsafe expectEqual(audioServicesCreateSystemSoundID(nil, &number), kAudio_ParamError)
        expectEqual(audioServicesCreateSystemSoundID(url(of: path), nil), kAudio_ParamError)
        expectEqual(number, 77)
    }

    @Test("IMA 4:1 in CAF is decoded, without the priming and the rest of the last packet") func ima4() throws
    {
        let path = folder.file("ima4.caf")
        let ima4 = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleIMA4, bytesPerPacket: 34, framesPerPacket: 64, channels: 1, sampleRate: 44_100)
        let client = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 1, sampleRate: 44_100)
        let frames = 10_000
        do {
            let file = ExtendedFileCalls(writing: path, kAudioFileCAFType, ima4)
            try #require(file.status == noErr)
            expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, client), noErr)
            let sine = (0..<frames).map { Int16(10_000 * sin(Double($0) / 20)) }
            expectEqual(file.write(sine), noErr)
            expectEqual(file.dispose(), noErr)
        }
        let sound = SystemSoundCalls(path)
        expectEqual(sound.status, kAudioServicesNoError)
        let calls = Atomic(0)
        SystemSoundCalls.play(sound.number, on: device) { calls.add(1, ordering: .sequentiallyConsistent) }
        #expect(eventually { device.openStreams == 1 })
        let audible = render { calls.load(ordering: .sequentiallyConsistent) == 1 }
        // Some samples of a sine are 0.
        #expect(audible > frames * 9 / 10 && audible <= frames)
    }

    // MARK: Completion procedures

    @Test("the procedure is called on its run loop for each playback, until it is removed") func completion()
        throws
    {
        let sound = try sound(frames: 480)
        let ends = SoundEnds()
        let loop = CFRunLoopGetCurrent()
        let added = unsafe audioServicesAddSystemSoundCompletion(
            sound.number, loop, nil, recordSoundEnd, ends.clientData)
        expectEqual(added, kAudioServicesNoError)
        for _ in 0..<2 { SystemSoundCalls.play(sound.number, on: device) }
        #expect(eventually { device.openStreams == 2 })
        _ = render { device.openStreams == 0 }
        expectEqual(ends.all, [], "the run loop does not run")
        let areCalled = eventually {
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.01, true)
            return ends.all.count == 2
        }
        #expect(areCalled)
        expectEqual(ends.all, [sound.number, sound.number])
        audioServicesRemoveSystemSoundCompletion(sound.number)
        audioServicesRemoveSystemSoundCompletion(sound.number)
        let isComplete = Atomic(false)
        SystemSoundCalls.play(sound.number, on: device) { isComplete.store(true, ordering: .releasing) }
        #expect(eventually { device.openStreams == 1 })
        _ = render { isComplete.load(ordering: .acquiring) }
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.02, false)
        expectEqual(ends.all.count, 2)
    }

    @Test("the procedure of a number without a sound is called, in its mode") func silentCompletion() throws {
        let ends = SoundEnds()
        let mode = try #require(AudioFileObject.string("aq.sounds"))
        let number: SystemSoundID = 1520
        let added = unsafe audioServicesAddSystemSoundCompletion(
            number, CFRunLoopGetCurrent(), mode, recordSoundEnd, ends.clientData)
        expectEqual(added, kAudioServicesNoError)
        defer { audioServicesRemoveSystemSoundCompletion(number) }
        SystemSoundCalls.play(number, on: device)
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true)
        expectEqual(ends.all, [])
        expectEqual(CFRunLoopRunInMode(mode, 1, true), .handledSource)
        expectEqual(ends.all, [number])
    }

    @Test("another procedure replaces the first, and there is none without an address") func replaced() throws
    {
        let (first, second) = (SoundEnds(), SoundEnds())
        let number: SystemSoundID = 1521
        for ends in [first, second] {
            let added = unsafe audioServicesAddSystemSoundCompletion(
                number, CFRunLoopGetCurrent(), nil, recordSoundEnd, ends.clientData)
            expectEqual(added, kAudioServicesNoError)
        }
        defer { audioServicesRemoveSystemSoundCompletion(number) }
        SystemSoundCalls.play(number, on: device)
        expectEqual(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, true), .handledSource)
        #expect(first.all == [] && second.all == [number])
        expectEqual(audioServicesAddSystemSoundCompletion(number, nil, nil, nil, nil), kAudio_ParamError)
    }
}
