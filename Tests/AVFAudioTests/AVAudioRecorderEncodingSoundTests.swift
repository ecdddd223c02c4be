// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Foundation
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

@testable import AVFAudio

@Suite("AVAudioRecorder with encoders of files", .serialized, .besideOthers, .timeLimit(.minutes(1)))
struct AVAudioRecorderEncodingSoundTests {
    private let server: PulseServer
    private let folder = ScratchFolder()

    init() throws {
        var options = PulseServer.Options()
        options.sampleRate = 44_100
        server = try PulseServer(options)
    }

    private func makeRecorder(_ url: URL, _ settings: [String: Any]) throws -> AVAudioRecorder {
        let devices = SoundDevices(
            output: { _ throws(DeviceError) in throw DeviceError(.connectionLost, "no output") },
            input: { [server] _ throws(DeviceError) in
                try PulseSource(server: "unix:\(server.socketPath)")
            })
        return try SoundDevices.$current.withValue(devices) {
            try AVAudioRecorder(url: url, settings: settings)
        }
    }

    @Test(
        "records FLAC, Opus and G.711",
        arguments: [
            ("flac", kAudioFormatFLAC), ("opus", kAudioFormatOpus), ("wav", kAudioFormatULaw),
            ("aifc", kAudioFormatALaw),
        ],
        [true, false])
    func records(_ kind: (type: String, formatID: AudioFormatID), hasRate: Bool) throws {
        let url = URL(fileURLWithPath: folder.file("a.\(kind.type)"))
        var settings: [String: Any] = [AVFormatIDKey: kind.formatID]
        if hasRate { settings.merge([AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1]) { $1 } }
        let recorder = try makeRecorder(url, settings)
        #expect(recorder.record(forDuration: 0.5))
        unsafe expectEqual(recorder.format.streamDescription.pointee.mFormatID, kind.formatID)
        #expect(HostClock.poll(upToSeconds: 10) { !recorder.isRecording })
        let file = try AVAudioFile(forReading: url)
        expectEqual(Double(file.length), file.fileFormat.sampleRate / 2)
        // Without a rate that of the device, or for Opus the next one above.
        let usualRate = kind.formatID == kAudioFormatOpus ? 48_000.0 : 44_100
        expectEqual(file.fileFormat.sampleRate, (hasRate ? 16_000 : usualRate))
    }
}
