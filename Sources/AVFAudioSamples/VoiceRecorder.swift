// SPDX-License-Identifier: MIT

//  Records the microphone for a number of seconds, and shows its level.
//
//      VoiceRecorder memo.m4a 10
//
//  The name's extension selects the codec: m4a is AAC, caf Apple Lossless, flac FLAC; wav and aiff are linear PCM.

import AVFoundation

/// The settings of a recording in one channel.
func settings(for url: URL) -> [String: Any] {
    let codecs = ["m4a": kAudioFormatMPEG4AAC, "caf": kAudioFormatAppleLossless, "flac": kAudioFormatFLAC]
    return [
        AVFormatIDKey: codecs[url.pathExtension] ?? kAudioFormatLinearPCM,
        AVSampleRateKey: 48_000,
        AVNumberOfChannelsKey: 1,
        AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
    ]
}

func fail(_ message: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let seconds = Double(arguments[2]) else {
    fail("usage: VoiceRecorder FILE SECONDS", status: 64)
}
guard await AVAudioApplication.requestRecordPermission() else { fail("VoiceRecorder: not permitted") }

let url = URL(fileURLWithPath: arguments[1])
do {
    let recorder = try AVAudioRecorder(url: url, settings: settings(for: url))
    recorder.isMeteringEnabled = true
    guard recorder.record(forDuration: seconds) else { fail("VoiceRecorder: cannot record") }
    while recorder.isRecording {
        try await Task.sleep(for: .milliseconds(100))
        recorder.updateMeters()
        // From -60 dB to full scale.
        let level = max(0, recorder.averagePower(forChannel: 0) + 60)
        print(String(repeating: "#", count: Int(level)))
    }
    recorder.stop()  // the file is complete when this returns
} catch {
    fail("VoiceRecorder: \(error.localizedDescription)")
}
