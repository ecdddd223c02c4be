// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AVFAudio
@testable import AVFoundation

@Suite("NSSound", .serialized, .besideOthers, .timeLimit(.minutes(3)))
struct NSSoundTests {
    private let server: PulseServer
    private let folder = ScratchFolder()

    init() throws { server = try PulseServer() }

    @MainActor private final class Listener: NSObject, NSSoundDelegate {
        nonisolated let ends = Mutex<[Bool]>([])
        nonisolated override init() { super.init() }
        func sound(_ sound: NSSound, didFinishPlaying flag: Bool) { ends.withLock { $0.append(flag) } }
    }

    /// Writes the test signal, whose samples encode their positions.
    private func writeSignal(frames: Int) throws -> String {
        let signal = TestSignal.make(sampleRate: 48_000, frames: frames)
        try WaveFile.write(signal, as: .float32, toPath: folder.file("signal.wav"))
        return folder.file("signal.wav")
    }

    private func onServer<Result>(_ body: () throws -> Result) rethrows -> Result {
        let devices = SoundDevices(
            output: { [server] _ throws(DeviceError) in try PulseDevice(server: "unix:\(server.socketPath)")
            },
            input: { _ throws(DeviceError) in throw DeviceError(.connectionLost, "no input") })
        return try SoundDevices.$current.withValue(devices) { try body() }
    }

    @Test("plays every frame, though nothing else refers to the sound") func alone() throws {
        let path = try writeSignal(frames: 30_000)
        let capture = try MonitorCapture(server)
        let listener = Listener()
        weak var released: NSSound?
        try onServer {
            let sound = try #require(NSSound(contentsOfFile: path, byReference: false))
            #expect(sound.duration == 0.625 && sound.volume == 1 && !sound.loops)
            sound.delegate = listener
            released = sound
            #expect(sound.play() && sound.isPlaying && !sound.play())
        }
        #expect(HostClock.poll(upToSeconds: 10) { !listener.ends.withLock { $0.isEmpty } })
        expectEqual(listener.ends.withLock { $0 }, [true])
        #expect(HostClock.poll(upToSeconds: 5) { released == nil })
        let runs = TestSignal.runs(in: capture.stop())
        #expect(runs.map(\.position) == [0] && runs.map(\.frames) == [30_000])
    }

    @Test("pauses, resumes, repeats and stops") func control() throws {
        let path = try writeSignal(frames: 9600)
        let listener = Listener()
        let made = onServer { NSSound(contentsOf: URL(fileURLWithPath: path), byReference: true) }
        let sound = try #require(made)
        sound.delegate = listener
        #expect(!sound.pause() && !sound.resume() && !sound.stop() && !sound.isPlaying)
        sound.loops = true
        sound.volume = 0.5
        #expect(sound.loops && sound.volume == 0.5)
        #expect(sound.play())
        usleep(500_000)
        #expect(sound.isPlaying && sound.pause() && !sound.isPlaying && !sound.pause())
        #expect(sound.resume() && sound.isPlaying && !sound.resume())
        #expect(sound.stop() && !sound.isPlaying && !sound.stop())
        #expect(HostClock.poll(upToSeconds: 5) { !listener.ends.withLock { $0.isEmpty } })
        expectEqual(listener.ends.withLock { $0 }, [false])
        sound.currentTime = 0.1
        expectEqual(sound.currentTime, 0.1)
    }

    @Test("is made of data, and not of a file that is none") func sources() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: writeSignal(frames: 480)))
        expectEqual(NSSound(data: data)?.duration, 0.01)
        expectEqual(NSSound(data: Data([1, 2, 3])), nil)
        expectEqual(NSSound(contentsOfFile: folder.file("missing.wav"), byReference: true), nil)
        expectEqual(NSSound(named: "no sound of this name"), nil)
    }

    @Test("has the name that the program gave it") func names() throws {
        let sound = try #require(NSSound(contentsOfFile: writeSignal(frames: 480), byReference: true))
        let name = "tick \(folder.path)"
        #expect(sound.name == nil && sound.setName(name) && sound.name == name)
        #expect(NSSound(named: name)?.duration == 0.01 && NSSound(named: name)?.name == name)
        let other = try #require(
            NSSound(data: Data(contentsOf: URL(fileURLWithPath: folder.file("signal.wav")))))
        #expect(!other.setName(name) && other.name == nil)
        #expect(sound.setName(nil) && sound.name == nil && NSSound(named: name) == nil)
    }

    @Test("is found in the program's resources, then the user's folder, then the system's") func folders()
        throws
    {
        let root = URL(fileURLWithPath: folder.path)
        func add(_ path: String) throws -> URL {
            let url = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
            return url
        }
        let folders = SoundFolders(
            environment: [
                "HOME": root.appendingPathComponent("home").path,
                "XDG_DATA_DIRS": "relative:\(folder.path)/first:\(folder.path)/second",
            ], resources: root.appendingPathComponent("resources"))
        func path(_ name: String) -> String? {
            guard case .file(let url) = folders.file(named: name) else { return nil }
            return String(url.path.dropFirst(folder.path.count + 1))
        }
        expectEqual(path("bell"), nil)
        for place in [
            "second/sounds/freedesktop/stereo/bell.oga", "first/sounds/bell.ogg",
            "home/.local/share/sounds/bell.flac", "resources/bell.aiff", "resources/bell.wav",
        ] {
            _ = try add(place)
            expectEqual(path("bell"), place)
        }
        expectEqual(path("bell.aiff"), "resources/bell.aiff")
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("resources/folder"), withIntermediateDirectories: true)
        for name in ["", "folder", "../resources/bell", "/etc/passwd", "nul\0l"] {
            expectEqual(path(name), nil)
        }
        let set = SoundFolders(environment: ["XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": ""], resources: nil)
        expectEqual(
            set.folders.map(\.path),
            [
                "/data/sounds", "/data/sounds/freedesktop/stereo", "/usr/local/share/sounds",
                "/usr/local/share/sounds/freedesktop/stereo", "/usr/share/sounds",
                "/usr/share/sounds/freedesktop/stereo",
            ])
    }
}
