// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import AQSessions
import AudioToolbox
import Foundation
import Synchronization
import AQTestSupport
import Testing

extension RecordingTests {
    @Suite("Settings of AVAudioRecorder") struct AVAudioRecorderSettingsTests {
        private let folder = ScratchFolder()
        private let listener = RecorderListener()

        private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

        private func makeRecorder(
            _ name: String, _ settings: [String: Any] = [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1],
            from device: any InputDevice = VirtualSource(ToneContent(frequency: 1000, amplitude: 0.5))
        ) throws -> AVAudioRecorder {
            try makeRecorder(name, settings, .input(device))
        }

        private func makeRecorder(
            _ name: String, _ settings: [String: Any], _ devices: SoundDevices
        ) throws -> AVAudioRecorder {
            let recorder = try SoundDevices.$current.withValue(devices) {
                try AVAudioRecorder(url: url(name), settings: settings)
            }
            recorder.delegate = listener
            return recorder
        }

        // MARK: Formats

        @Test("a setting of a wrong type, and a format that does not exist, throw 'fmt?'")
        func wrongSettings() {
            let wrong: [[String: Any]] = [
                [AVFormatIDKey: "aac"], [AVSampleRateKey: "48000"], [AVNumberOfChannelsKey: [1]],
                [AVNumberOfChannelsKey: 0], [AVNumberOfChannelsKey: 1.5], [AVSampleRateKey: -1],
                [AVLinearPCMBitDepthKey: 17], [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 16],
                [AVChannelLayoutKey: Data([1])],
            ]
            for settings in wrong {
                let code = failure { try AVAudioRecorder(url: url("a.wav"), settings: settings) }
                expectEqual(code, kAudioFormatUnsupportedDataFormatError, "\(settings)")
            }
            #expect(folder.names.isEmpty)
        }

        @Test("an unknown file type throws 'typ?'", arguments: ["a.xyz", "a"])
        func wrongType(name: String) {
            let code = failure { try AVAudioRecorder(url: url(name), settings: [:]) }
            expectEqual(code, kAudioFileUnsupportedFileTypeError)
        }

        private func failure(_ make: () throws -> AVAudioRecorder) -> OSStatus? {
            do {
                _ = try make()
                return nil
            } catch { return OSStatus((error as NSError).code) }
        }

        @Test("a type in the settings replaces the extension") func fileType() throws {
            let recorder = try makeRecorder(
                "a.recording", [AVAudioFileTypeKey: kAudioFileWAVEType, AVSampleRateKey: 8000])
            #expect(recorder.prepareToRecord())
            #expect(folder.bytes(of: "a.recording").starts(with: Array("RIFF".utf8)))
        }

        @Test("a missing rate and number of channels are the microphone's, up to two channels")
        func deviceFormat() throws {
            let device = VirtualSource(sampleRate: 32_000, channels: 4)
            let recorder = try makeRecorder("a.caf", [:], from: device)
            #expect(recorder.settings.isEmpty)
            #expect(recorder.prepareToRecord())
            #expect(recorder.format.sampleRate == 32_000 && recorder.format.channelCount == 2)
            #expect(recorder.settings[AVSampleRateKey] as? Double == 32_000)
            #expect(recorder.settings[AVNumberOfChannelsKey] as? Int == 2)
        }

        @Test("a format is recorded as it is") func format() throws {
            let format = try #require(
                AVAudioFormat(
                    commonFormat: .pcmFormatFloat32, sampleRate: 22_050, channels: 2, interleaved: true))
            let devices = SoundDevices.input(VirtualSource())
            let recorder = try SoundDevices.$current.withValue(devices) {
                try AVAudioRecorder(url: url("a.wav"), format: format)
            }
            #expect(recorder.prepareToRecord() && recorder.format == format)
            expectEqual(recorder.url, url("a.wav"))
        }

        @Test("what no encoder exists for, and a missing folder, make preparation fail without a trap")
        func impossible() throws {
            let amr = try makeRecorder(
                "a.caf", [AVFormatIDKey: kAudioFormatAMR, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1])
            #expect(!amr.prepareToRecord() && !amr.record() && !amr.isRecording)
            let missing = try makeRecorder("missing/a.wav")
            #expect(!missing.prepareToRecord() && !missing.record())
            #expect(listener.events.isEmpty)
        }

        // MARK: Deleting

        @Test("a recording can be deleted once it is stopped") func delete() throws {
            let recorder = try makeRecorder("a.wav")
            #expect(!recorder.deleteRecording())
            #expect(recorder.prepareToRecord() && folder.names == ["a.wav"])
            #expect(recorder.deleteRecording() && folder.names.isEmpty)
            #expect(recorder.record())
            #expect(!recorder.deleteRecording())
            recorder.pause()
            #expect(!recorder.deleteRecording() && folder.names == ["a.wav"])
            recorder.stop()
            #expect(recorder.deleteRecording() && folder.names.isEmpty)
            #expect(!recorder.deleteRecording())
        }

        // MARK: Levels

        @Test("levels are those of the captured audio, in decibels") func levels() throws {
            let recorder = try makeRecorder("a.wav")
            #expect(!recorder.isMeteringEnabled)
            recorder.isMeteringEnabled = true
            #expect(recorder.record())
            let isMeasured = eventually {
                recorder.updateMeters()
                return recorder.peakPower(forChannel: 0) > -20 && recorder.averagePower(forChannel: 0) > -20
            }
            #expect(isMeasured)
            #expect(abs(recorder.peakPower(forChannel: 0) + 6.02) < 0.1)
            #expect(abs(recorder.averagePower(forChannel: 0) + 9.03) < 0.5)
            for channel in [-1, 1, .max] {
                expectEqual(recorder.peakPower(forChannel: channel), -160)
                expectEqual(recorder.averagePower(forChannel: channel), -160)
            }
            recorder.stop()
            // The levels remain until the next update.
            #expect(recorder.peakPower(forChannel: 0) > -20)
            recorder.updateMeters()
            expectEqual(recorder.peakPower(forChannel: 0), -160)
        }

        @Test("without metering the levels are silence, and it can be enabled later") func noLevels() throws {
            let recorder = try makeRecorder("a.wav")
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.1 })
            recorder.updateMeters()
            expectEqual(recorder.peakPower(forChannel: 0), -160)
            recorder.isMeteringEnabled = true
            let isMeasured = eventually {
                recorder.updateMeters()
                return recorder.peakPower(forChannel: 0) > -20
            }
            #expect(isMeasured)
        }

        // MARK: The session

        @Test("a muted program records silence") func muted() throws {
            let recorder = try makeRecorder("a.wav")
            recorder.isMeteringEnabled = true
            try AVAudioApplication.shared.setInputMuted(true)
            defer { try? AVAudioApplication.shared.setInputMuted(false) }
            #expect(recorder.record())
            try #require(eventually { recorder.currentTime > 0.15 })
            recorder.updateMeters()
            expectEqual(recorder.peakPower(forChannel: 0), -160)
            recorder.stop()
            let samples = try RecordedFile.samples(url("a.wav"))
            #expect(samples.count >= 7000 && samples.allSatisfy { $0 == 0 })
        }

        private final class Requested: Sendable {
            let names = Mutex<[String]>([])
        }

        private struct Missing: InputDevice {
            let name = "missing"
            func nativeFormat(
                timeoutSeconds: Double
            ) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
                throw DeviceError(.noSuchDevice, "there is no such microphone")
            }
            func makeStream(
                _ configuration: InputStreamConfiguration
            ) throws(DeviceError) -> any AQDevices.InputStream {
                throw DeviceError(.noSuchDevice, "there is no such microphone")
            }
        }

        @Test(
            "the preferred microphone is recorded, and the default one instead of a missing one",
            arguments: [("desk", ["desk"]), ("missing", ["missing", "-"]), (nil, ["-"])])
        func preferredInput(preferred: String?, expected: [String]) throws {
            let requested = Requested()
            let devices = SoundDevices.inputs { name in
                requested.names.withLock { $0.append(name ?? "-") }
                return name == "missing" ? Missing() : VirtualSource()
            }
            let recorder = try makeRecorder("a.wav", [AVSampleRateKey: 8000], devices)
            AudioSession.shared.change { $0.preferredInput = preferred }
            defer { AudioSession.shared.change { $0.preferredInput = nil } }
            #expect(recorder.prepareToRecord())
            expectEqual(requested.names.withLock { $0 }, expected)
        }
    }
}
