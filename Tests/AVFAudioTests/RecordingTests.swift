// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

/// The suites that record, or change settings of the process. They run one at a time.
@Suite("Recording", .serialized, .besideOthers, .timeLimit(.minutes(3))) enum RecordingTests {}

extension SoundDevices {
    /// Devices that only record.
    static func input(_ device: any InputDevice) -> SoundDevices { inputs { _ in device } }

    /// Devices that only record.
    ///
    /// - Parameter make: Makes the device of a name; nil is the default one.
    static func inputs(_ make: @escaping @Sendable (String?) -> any InputDevice) -> SoundDevices {
        SoundDevices(
            output: { _ throws(DeviceError) in throw DeviceError(.noServer, "no output in the test") },
            input: { name throws(DeviceError) in make(name) })
    }
}

/// A delegate that keeps its calls.
final class RecorderListener: NSObject, AVAudioRecorderDelegate, Sendable {
    enum Event: Equatable, Sendable {
        case finished(Bool)
        /// With the code of the error.
        case encodeError(Int?)
    }

    private let list = Mutex<[Event]>([])
    private let isOnMain = Mutex(true)
    private static let main = DispatchSpecificKey<Bool>()

    override init() { DispatchQueue.main.setSpecific(key: Self.main, value: true) }

    var events: [Event] { list.withLock { $0 } }
    /// Whether all calls were on the main queue.
    var isAlwaysOnMain: Bool { isOnMain.withLock { $0 } }

    func waitForEnd() -> Bool {
        eventually { events.contains { if case .finished = $0 { true } else { false } } }
    }

    private func add(_ event: Event) {
        list.withLock { $0.append(event) }
        if DispatchQueue.getSpecific(key: Self.main) != true { isOnMain.withLock { $0 = false } }
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        add(.finished(flag))
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        add(.encodeError(error.map { ($0 as NSError).code }))
    }
}

/// A microphone that captures silence in blocks of 480 frames, until it is told to do something else.
final class FedSource: Sendable {
    let source = ManualSource()
    private let isFeeding = Mutex(true)

    init() {
        DispatchQueue(label: "fed source").async { [source, weak self] in
            while self?.feed(source) == true { leaveAsIs(seconds: 0.002) }
        }
    }

    private func feed(_ source: ManualSource) -> Bool {
        isFeeding.withLock { isFeeding in
            if isFeeding { source.captureSilence(frames: 480) }
            return isFeeding
        }
    }

    /// Captures nothing any more.
    func stall() { isFeeding.withLock { $0 = false } }
}

/// A source whose streams wait only a short time for a server or a device.
struct ImpatientSource: InputDevice {
    let source: PulseSource
    var name: String { source.name }

    func nativeFormat(
        timeoutSeconds: Double
    ) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        try source.nativeFormat(timeoutSeconds: timeoutSeconds)
    }

    func makeStream(
        _ configuration: InputStreamConfiguration
    ) throws(DeviceError) -> any AQDevices.InputStream {
        var configuration = configuration
        configuration.recoverySeconds = 0.3
        return try source.makeStream(configuration)
    }
}

/// The files of recordings.
enum RecordedFile {
    /// All frames, interleaved, as integers of 16 bits.
    static func samples(_ url: URL) throws -> [Int16] {
        let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
        guard file.length > 0 else { return [] }
        let buffer = try #require(
            AVAudioPCMBuffer(
                pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
        try file.read(into: buffer)
        let count = Int(buffer.frameLength) * Int(file.processingFormat.channelCount)
        let data = try unsafe #require(buffer.int16ChannelData)
        return (0..<count).map { unsafe data[0][$0] }
    }

    /// The numbers of the descriptors with which this process has a file open.
    static func descriptors(_ url: URL) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.compactMap { Int32($0) }.filter { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(number)")
            return target == url.path
        }
    }

    /// Makes all later writes to an open file fail, as if the disk were full.
    static func makeFull(_ url: URL) throws {
        let full = unsafe open("/dev/full", O_RDWR)
        try #require(full >= 0)
        defer { close(full) }
        let numbers = descriptors(url)
        try #require(!numbers.isEmpty)
        for number in numbers { expectEqual(dup2(full, number), number) }
    }
}

extension PulseServer {
    var address: String { "unix:\(socketPath)" }

    /// Adds a silent source that is not a monitor.
    func addMicrophone(_ name: String, channels: Int) throws {
        let arguments = ["rate=48000", "channels=\(channels)"]
        do {
            _ = try loadModule("module-null-source", ["source_name=\(name)"] + arguments)
        } catch {
            // PipeWire has no module for it, but sinks that act as sources.
            _ = try loadModule(
                "module-null-sink", ["sink_name=\(name)", "media.class=Audio/Source/Virtual"] + arguments)
        }
    }

    /// Plays the test signal's frames on the first sink, and waits for the end.
    func playSignal(frames: Int) throws {
        let path = "\(folder)/signal.wav"
        try WaveFile.write(
            TestSignal.make(sampleRate: options.sampleRate, frames: frames), as: .float32, toPath: path)
        let player = try ChildProcess(
            "paplay", ["--device=\(options.sinkName)", "--latency-msec=400", path], environment: environment)
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
    }
}
