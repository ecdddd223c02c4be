// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  ClassesInFive.swift
//
//  A voice memo in language mode 5: delegates that are subclasses of NSObject, settings, a session, a converter.
//
//      ClassesInFive folder
//
import AVFoundation

class MemoRecorder: NSObject, AVAudioRecorderDelegate {
    var audioRecorder: AVAudioRecorder?
    var finished: Bool?
    var levels: [Float] = []

    func start(at url: URL) throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker, .allowBluetooth])
        try session.setPreferredSampleRate(44100)
        try session.setActive(true)
        session.requestRecordPermission { allowed in
            if !allowed { print("no permission") }
        }
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatFLAC),
            AVSampleRateKey: 44100,
            AVNumberOfChannelsKey: 1,
            AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue
        ]
        audioRecorder = try AVAudioRecorder(url: url, settings: settings)
        audioRecorder?.delegate = self
        audioRecorder?.isMeteringEnabled = true
        audioRecorder?.prepareToRecord()
        guard audioRecorder?.record() == true else { print("cannot record"); exit(1) }
    }

    func tick() {
        guard let recorder = audioRecorder, recorder.isRecording else { return }
        recorder.updateMeters()
        levels.append(pow(10, recorder.averagePower(forChannel: 0) / 20))
    }

    func stop() {
        audioRecorder?.stop()
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        finished = flag
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: Error?) {
        print("encoding: \(error?.localizedDescription ?? "")")
    }
}

class MemoPlayer: NSObject, AVAudioPlayerDelegate {
    private var player: AVAudioPlayer!
    var onEnd: (() -> Void)?

    func play(_ url: URL) {
        do {
            player = try AVAudioPlayer(contentsOf: url)
            player.delegate = self
            player.volume = 0.8
            player.prepareToPlay()
            if !player.play() { print("cannot play") }
        } catch let error as NSError {
            print("\(error.domain) \(error.code)")
        }
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { onEnd?() }
}

/// 16 kHz mono, as recognisers want it.
func converted(_ file: AVAudioFile) throws -> AVAudioPCMBuffer? {
    guard let input = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)),
        let format = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16000, channels: 1, interleaved: true),
        let converter = AVAudioConverter(from: file.processingFormat, to: format)
    else { return nil }
    try file.read(into: input)
    let capacity = AVAudioFrameCount(Double(input.frameLength) * 16000 / file.processingFormat.sampleRate) + 16
    guard let output = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity) else { return nil }
    var error: NSError?
    var given = false
    let status = converter.convert(to: output, error: &error) { _, outStatus in
        if given {
            outStatus.pointee = .endOfStream
            return nil
        }
        given = true
        outStatus.pointee = .haveData
        return input
    }
    if status == .error { print(error?.localizedDescription ?? "no reason") }
    return output
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let url = folder.appendingPathComponent("memo.flac")
let observer = NotificationCenter.default.addObserver(
    forName: AVAudioSession.interruptionNotification, object: nil, queue: .main
) { note in
    if let raw = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt { print("interruption \(raw)") }
}

let recorder = MemoRecorder()
do { try recorder.start(at: url) } catch { print(error); exit(1) }
let timer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { _ in recorder.tick() }
RunLoop.main.run(until: Date().addingTimeInterval(0.5))
timer.invalidate()
recorder.stop()
while recorder.finished == nil { RunLoop.main.run(until: Date().addingTimeInterval(0.02)) }

let buffer = try converted(AVAudioFile(forReading: url))
let samples = buffer.map { Array(UnsafeBufferPointer(start: $0.int16ChannelData![0], count: Int($0.frameLength))) } ?? []
print("recorded \(recorder.finished == true), levels \(recorder.levels.count > 3), at 16 kHz \(samples.count > 4000)")

var ended = false
let player = MemoPlayer()
player.onEnd = { ended = true }
let start = CACurrentMediaTime()
autoreleasepool { player.play(url) }
while !ended, CACurrentMediaTime() - start < 10 { RunLoop.main.run(until: Date().addingTimeInterval(0.02)) }
player.play(folder.appendingPathComponent("missing.wav"))
NotificationCenter.default.removeObserver(observer)
print("played \(ended)")
