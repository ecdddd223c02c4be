// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  DrumMachine.swift
//
//  A drum machine in language mode 5: a player node and a looped pattern for each instrument, which all start at one
//  host time; swing; an equalizer and a reverb; and a mixdown to a file.
//
//      DrumMachine play beats-per-minute swing bars
//      DrumMachine mix beats-per-minute swing bars file
//
//  Swing is the delay of every second sixteenth, from 0 to 1 of its length.
//
import AVFoundation

enum Instrument: Int, CaseIterable {
    case kick, snare, hat

    /// The steps of a bar, in sixteenths.
    var pattern: String {
        switch self {
        case .kick:  return "x...x...x...x..."
        case .snare: return "....x.......x..."
        case .hat:   return "x.xxx.x.x.xxx.x."
        }
    }

    var fillPattern: String {
        switch self {
        case .kick:  return "x...x...x......."
        case .snare: return "....x...x.x.xxxx"
        case .hat:   return "x.x.x.x.x......."
        }
    }

    var pan: Float {
        switch self {
        case .kick:  return -1
        case .snare: return 0
        case .hat:   return 1
        }
    }

    /// One hit. It begins with its loudest sample.
    func hit(sampleRate: Double) -> [Float] {
        let seconds = self == .hat ? 0.02 : 0.05
        let count = Int(seconds * sampleRate)
        var noise: UInt32 = 1
        return (0..<count).map { frame in
            let time = Double(frame) / sampleRate
            let fade = pow(1 - Double(frame) / Double(count), 4)
            noise = noise &* 1664525 &+ 1013904223
            let random = frame == 0 ? 1 : Double(noise >> 8) / Double(1 << 23) - 1
            switch self {
            case .kick:  return Float(0.8 * fade * cos(2 * .pi * 60 * time))
            case .snare: return Float(0.4 * fade * (0.5 * cos(2 * .pi * 180 * time) + 0.5 * random))
            case .hat:   return Float(0.5 * fade * random)
            }
        }
    }
}

struct Tempo {
    var beatsPerMinute: Double
    var swing: Double
    let sampleRate: Double

    /// A bar has four beats. Its length is a whole number of frames, so that loops stay together.
    var framesPerBar: Int { Int((240 / beatsPerMinute * sampleRate).rounded()) }

    func frame(ofStep step: Int) -> Int {
        let length = Double(framesPerBar) / 16
        return Int(((Double(step) + (step % 2 == 1 ? swing : 0)) * length).rounded())
    }
}

final class Track {
    let instrument: Instrument
    let player = AVAudioPlayerNode()
    private let loop: AVAudioPCMBuffer
    private let fill: AVAudioPCMBuffer

    init?(_ instrument: Instrument, tempo: Tempo, format: AVAudioFormat) {
        guard let loop = Track.bar(instrument, instrument.pattern, tempo, format),
            let fill = Track.bar(instrument, instrument.fillPattern, tempo, format)
        else { return nil }
        self.instrument = instrument
        self.loop = loop
        self.fill = fill
    }

    private static func bar(
        _ instrument: Instrument, _ pattern: String, _ tempo: Tempo, _ format: AVAudioFormat
    ) -> AVAudioPCMBuffer? {
        let length = tempo.framesPerBar
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(length)),
            let samples = buffer.floatChannelData?[0]
        else { return nil }
        buffer.frameLength = AVAudioFrameCount(length)
        for frame in 0..<length { samples[frame] = 0 }
        let hit = instrument.hit(sampleRate: format.sampleRate)
        for (step, mark) in pattern.enumerated() where mark == "x" {
            let start = tempo.frame(ofStep: step)
            for (index, sample) in hit.enumerated() where start + index < length { samples[start + index] += sample }
        }
        return buffer
    }

    func startLoop() {
        player.scheduleBuffer(loop, at: nil, options: .loops, completionHandler: nil)
    }

    /// Ends the loop with its current round, and plays the last bar.
    func scheduleFill(_ completion: @escaping @Sendable () -> Void) {
        player.scheduleBuffer(fill, at: nil, options: .interruptsAtLoop, completionCallbackType: .dataPlayedBack) { _ in
            completion()
        }
    }

    /// All bars, without loops.
    func schedule(bars: Int) {
        for bar in 0..<bars {
            player.scheduleBuffer(bar == bars - 1 ? fill : loop, at: nil, options: [], completionHandler: nil)
        }
    }
}

final class DrumMachine {
    enum Failure: Error { case noBuffer, render(AVAudioEngineManualRenderingStatus) }

    private let engine = AVAudioEngine()
    private let equalizer = AVAudioUnitEQ(numberOfBands: 1)
    private let reverb = AVAudioUnitReverb()
    private var tracks: [Track] = []
    private var tempo: Tempo

    /// Makes the graph: the hat is played through the equalizer, and the snare through the reverb.
    init(beatsPerMinute: Double, swing: Double, isOffline: Bool) throws {
        if isOffline, let format = AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2) {
            try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1024)
        }
        let sampleRate = engine.outputNode.outputFormat(forBus: 0).sampleRate
        tempo = Tempo(beatsPerMinute: beatsPerMinute, swing: swing, sampleRate: sampleRate)
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 1) else { throw Failure.noBuffer }

        let band = equalizer.bands[0]
        band.filterType = .highShelf
        band.frequency = 6000
        band.gain = 3
        band.bypass = false
        reverb.loadFactoryPreset(.mediumRoom)
        reverb.wetDryMix = 20
        engine.attach(equalizer)
        engine.attach(reverb)
        engine.connect(equalizer, to: engine.mainMixerNode, format: mono)
        engine.connect(reverb, to: engine.mainMixerNode, format: mono)

        for instrument in Instrument.allCases {
            guard let track = Track(instrument, tempo: tempo, format: mono) else { throw Failure.noBuffer }
            engine.attach(track.player)
            switch instrument {
            case .kick: engine.connect(track.player, to: engine.mainMixerNode, format: mono)
            case .snare: engine.connect(track.player, to: reverb, format: mono)
            case .hat: engine.connect(track.player, to: equalizer, format: mono)
            }
            track.player.pan = instrument.pan
            tracks.append(track)
        }
    }

    /// Plays bars, of which the last is a fill, and returns when it was heard.
    func play(bars: Int) throws {
        lengthenSlices()
        try engine.start()
        if bars > 1 {
            for track in tracks { track.startLoop() }
        }
        let start = mach_absolute_time() + AVAudioTime.hostTime(forSeconds: 0.2)
        for track in tracks { track.player.play(at: AVAudioTime(hostTime: start)) }
        // The fill replaces the loop at the end of the round in which it is scheduled.
        waitForFrame(max(0, bars - 2) * tempo.framesPerBar + tempo.framesPerBar / 4, isNeeded: bars > 1)
        let group = DispatchGroup()
        for track in tracks {
            group.enter()
            track.scheduleFill { group.leave() }
        }
        group.wait()
        Thread.sleep(forTimeInterval: 0.2)  // the reverb
        for track in tracks { track.player.stop() }
        engine.stop()
    }

    /// Renders 2,048 frames at once, since nothing is played live.
    private func lengthenSlices() {
        guard let unit = engine.outputNode.audioUnit else { return }
        var frames: UInt32 = 2048
        let status = AudioUnitSetProperty(
            unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &frames, UInt32(MemoryLayout<UInt32>.size))
        if status != noErr { print("slices of \(frames) frames: status \(status)") }
    }

    private func waitForFrame(_ frame: Int, isNeeded: Bool) {
        while isNeeded {
            if let node = tracks[0].player.lastRenderTime, let time = tracks[0].player.playerTime(forNodeTime: node),
                time.sampleTime >= AVAudioFramePosition(frame)
            {
                return
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// Renders bars and a tail of half a second.
    func mix(bars: Int, to url: URL) throws -> AVAudioFramePosition {
        for track in tracks { track.schedule(bars: bars) }
        try engine.start()
        for track in tracks { track.player.play() }
        let format = engine.manualRenderingFormat
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: engine.manualRenderingMaximumFrameCount) else {
            throw Failure.noBuffer
        }
        let length = AVAudioFramePosition(bars * tempo.framesPerBar) + AVAudioFramePosition(format.sampleRate / 2)
        while engine.manualRenderingSampleTime < length {
            let count = min(AVAudioFrameCount(length - engine.manualRenderingSampleTime), buffer.frameCapacity)
            let status = try engine.renderOffline(count, to: buffer)
            guard status == .success else { throw Failure.render(status) }
            try file.write(from: buffer)
        }
        engine.stop()
        return file.length
    }

    var onsets: [[Int]] {
        Instrument.allCases.map { instrument in
            instrument.pattern.enumerated().filter { $0.element == "x" }.map { tempo.frame(ofStep: $0.offset) }
        }
    }

    var framesPerBar: Int { tempo.framesPerBar }
}

let arguments = CommandLine.arguments
guard arguments.count >= 5, let beats = Double(arguments[2]), let swing = Double(arguments[3]), let bars = Int(arguments[4]),
    arguments[1] == "play" || arguments.count == 6
else {
    print("usage: DrumMachine play|mix BEATS-PER-MINUTE SWING BARS [FILE]")
    exit(64)
}
do {
    let machine = try DrumMachine(beatsPerMinute: beats, swing: swing, isOffline: arguments[1] == "mix")
    print("bar \(machine.framesPerBar)")
    for onsets in machine.onsets { print(onsets.map(String.init).joined(separator: " ")) }
    if arguments[1] == "mix" {
        print("mixed \(try machine.mix(bars: bars, to: URL(fileURLWithPath: arguments[5])))")
    } else {
        try machine.play(bars: bars)
        print("played \(bars)")
    }
} catch {
    print("error: \(error)")
    exit(1)
}
