// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  ClassesOnMain.swift
//
//  The model of a screen, isolated to the main actor, in language mode 6.
//
//      ClassesOnMain folder
//
import AVFoundation

@MainActor
final class PlayerModel: NSObject, AVAudioPlayerDelegate, NSSoundDelegate {
    private(set) var isPlaying = false
    private(set) var lastEnd: Bool?
    private(set) var soundEnded = false
    private var player: AVAudioPlayer?

    override init() {
        super.init()
        if AVCaptureDevice.authorizationStatus(for: .audio) == .denied { print("denied") }
    }

    func toggle(_ url: URL) throws {
        if let player, player.isPlaying {
            player.pause()
            isPlaying = false
            return
        }
        if player == nil {
            player = try AVAudioPlayer(contentsOf: url)
            player?.delegate = self
            player?.numberOfLoops = 0
        }
        isPlaying = player?.play() ?? false
    }

    nonisolated func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        Task { @MainActor in
            isPlaying = false
            lastEnd = flag
        }
    }

    func sound(_ sound: NSSound, didFinishPlaying flag: Bool) { soundEnded = flag }
}

@MainActor
final class RecorderModel: NSObject {
    private(set) var level: Float = -160
    private(set) var isRecording = false
    private var recorder: AVAudioRecorder?
    private var meter: Task<Void, Never>?
    private var continuation: CheckedContinuation<Bool, Never>?

    func start(_ url: URL) throws {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16000.0, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
        ]
        try AVAudioSession.sharedInstance().setCategory(.record)
        let recorder = try AVAudioRecorder(url: url, settings: settings)
        recorder.delegate = self
        recorder.isMeteringEnabled = true
        isRecording = recorder.record()
        self.recorder = recorder
        meter = Task { [weak self] in
            while let self, self.isRecording {
                self.recorder?.updateMeters()
                self.level = self.recorder?.peakPower(forChannel: 0) ?? -160
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    func stop() async -> Bool {
        await withCheckedContinuation { continuation in
            self.continuation = continuation
            isRecording = false
            recorder?.stop()
        }
    }

    fileprivate func finish(_ flag: Bool) {
        continuation?.resume(returning: flag)
        continuation = nil
    }
}

extension RecorderModel: AVAudioRecorderDelegate {
    nonisolated func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        Task { @MainActor in self.finish(flag) }
    }
}

@MainActor
func loadSamples(_ url: URL) throws -> [Float] {
    let file = try AVAudioFile(forReading: url)
    guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)) else { return [] }
    try file.read(into: buffer)
    guard let channel = buffer.floatChannelData?.pointee else { return [] }
    return (0..<Int(buffer.frameLength)).map { channel[$0] }
}

@main
@MainActor
struct Program {
    static func main() async throws {
        let url = URL(fileURLWithPath: CommandLine.arguments[1]).appendingPathComponent("voice.wav")
        let recorder = RecorderModel()
        try recorder.start(url)
        try await Task.sleep(for: .seconds(0.5))
        let recorded = await recorder.stop()
        print("recorded \(recorded), samples \(try loadSamples(url).count > 4000), level \(recorder.level <= 0)")

        let model = PlayerModel()
        try model.toggle(url)
        try await Task.sleep(for: .seconds(0.1))
        try model.toggle(url)
        print("paused \(!model.isPlaying)")
        try model.toggle(url)
        while model.lastEnd == nil { try await Task.sleep(for: .milliseconds(20)) }
        print("played \(model.lastEnd == true)")

        NSSound.beep()
        let sound = NSSound(contentsOf: url, byReference: true)
        sound?.delegate = model
        sound?.play()
        while !model.soundEnded { try await Task.sleep(for: .milliseconds(20)) }
        print("sound ended, \(NSSound(named: "no such sound") == nil)")
    }
}
