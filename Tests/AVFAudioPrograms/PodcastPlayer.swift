// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  PodcastPlayer.swift
//
//  A player for long recordings, in language mode 5: speed without a change of pitch, skipping, and a position.
//
//      PodcastPlayer file speed skipped-seconds
//
//  It begins at normal speed. After half a second it changes to the speed, and skips.
//
import AVFoundation

protocol PodcastPlayerDelegate: AnyObject {
    func podcastPlayer(_ player: PodcastPlayer, didChange state: PodcastPlayer.State)
}

final class PodcastPlayer {
    enum State: String { case stopped, playing, paused, finished }
    enum Failure: Error { case notLoaded }

    weak var delegate: PodcastPlayerDelegate?
    private(set) var state = State.stopped {
        didSet { if state != oldValue { delegate?.podcastPlayer(self, didChange: state) } }
    }

    private let engine = AVAudioEngine()
    private let playerNode = AVAudioPlayerNode()
    private let timePitch = AVAudioUnitTimePitch()
    private var file: AVAudioFile?
    /// The frame of the file at which the player's time is 0.
    private var seekFrame: AVAudioFramePosition = 0
    private var scheduled = 0
    private var configurationObserver: NSObjectProtocol?

    init() {
        engine.attach(playerNode)
        engine.attach(timePitch)
        configurationObserver = NotificationCenter.default.addObserver(
            forName: .AVAudioEngineConfigurationChange, object: engine, queue: .main
        ) { [weak self] _ in
            self?.restart()
        }
    }

    deinit {
        if let configurationObserver { NotificationCenter.default.removeObserver(configurationObserver) }
        playerNode.stop()
        engine.stop()
    }

    // MARK: Facts

    private var sampleRate: Double { file?.processingFormat.sampleRate ?? 44100 }

    var duration: TimeInterval { file.map { Double($0.length) / sampleRate } ?? 0 }

    /// The position in the recording, which advances with the speed.
    var currentTime: TimeInterval {
        get { Double(currentFrame) / sampleRate }
        set { seek(to: newValue) }
    }

    private var currentFrame: AVAudioFramePosition {
        guard let file else { return 0 }
        if state == .finished { return file.length }
        guard let nodeTime = playerNode.lastRenderTime, let time = playerNode.playerTime(forNodeTime: nodeTime) else {
            return seekFrame
        }
        let played = AVAudioFramePosition(Double(time.sampleTime) * sampleRate / time.sampleRate)
        return min(max(0, seekFrame + played), file.length)
    }

    /// From half to double speed.
    var speed: Float {
        get { timePitch.rate }
        set { timePitch.rate = min(max(newValue, 0.5), 2) }
    }

    var volume: Float {
        get { engine.mainMixerNode.outputVolume }
        set { engine.mainMixerNode.outputVolume = newValue }
    }

    // MARK: Control

    func load(_ url: URL) throws {
        let file = try AVAudioFile(forReading: url)
        playerNode.stop()
        engine.connect(playerNode, to: timePitch, format: file.processingFormat)
        engine.connect(timePitch, to: engine.mainMixerNode, format: file.processingFormat)
        self.file = file
        seekFrame = 0
        schedule(from: 0)
        engine.prepare()
    }

    func play() throws {
        guard file != nil else { throw Failure.notLoaded }
        if state == .finished { seek(to: 0) }
        if !engine.isRunning { try engine.start() }
        playerNode.play()
        state = .playing
    }

    func pause() {
        guard state == .playing else { return }
        seekFrame = currentFrame
        playerNode.stop()
        schedule(from: seekFrame)
        engine.pause()
        state = .paused
    }

    func skip(by seconds: TimeInterval) { seek(to: currentTime + seconds) }

    private func seek(to time: TimeInterval) {
        guard let file else { return }
        let wasPlaying = state == .playing
        let frame = min(max(0, AVAudioFramePosition(time * sampleRate)), file.length)
        playerNode.stop()
        seekFrame = frame
        schedule(from: frame)
        if wasPlaying { playerNode.play() }
    }

    private func schedule(from frame: AVAudioFramePosition) {
        guard let file else { return }
        scheduled += 1
        let number = scheduled
        guard frame < file.length else { return finish(number) }
        playerNode.scheduleSegment(
            file, startingFrame: frame, frameCount: AVAudioFrameCount(file.length - frame), at: nil,
            completionCallbackType: .dataPlayedBack
        ) { [weak self] _ in
            DispatchQueue.main.async { [weak self] in self?.finish(number) }
        }
    }

    /// Called for segments that were stopped, too, which the number tells apart.
    private func finish(_ number: Int) {
        guard number == scheduled, state == .playing else { return }
        state = .finished
        playerNode.stop()
        engine.stop()
    }

    private func restart() {
        guard state == .playing, !engine.isRunning else { return }
        try? engine.start()
        playerNode.play()
    }
}

final class Session: PodcastPlayerDelegate {
    let player = PodcastPlayer()
    let speed: Float
    let skipped: TimeInterval
    private var timer: Timer?
    private var hasSkipped = false

    init(speed: Float, skipped: TimeInterval) {
        self.speed = speed
        self.skipped = skipped
    }

    func start(_ url: URL) throws {
        player.delegate = self
        try player.load(url)
        print(String(format: "duration %.3f", player.duration))
        try player.play()
        timer = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { [weak self] _ in self?.tick() }
    }

    private func tick() {
        guard !hasSkipped, player.currentTime >= 0.5 else { return }
        hasSkipped = true
        player.speed = speed
        let before = player.currentTime
        player.skip(by: skipped)
        print(String(format: "skipped from %.3f to %.3f", before, player.currentTime))
    }

    func podcastPlayer(_ player: PodcastPlayer, didChange state: PodcastPlayer.State) {
        print(state.rawValue)
        guard state == .finished else { return }
        print(String(format: "position %.3f", player.currentTime))
        timer?.invalidate()
        exit(0)
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let speed = Float(arguments[2]), let skipped = Double(arguments[3]) else {
    print("usage: PodcastPlayer FILE SPEED SKIPPED-SECONDS")
    exit(64)
}
let session = Session(speed: speed, skipped: skipped)
do {
    try session.start(URL(fileURLWithPath: arguments[1]))
} catch {
    print("cannot play: \(error.localizedDescription)")
    exit(1)
}
RunLoop.main.run()
