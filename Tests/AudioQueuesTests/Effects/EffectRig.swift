// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

@testable import AudioQueues

/// A chain of effects at 48 kHz, whose chunks have 960 frames, with arrays in and out.
final class EffectRig {
    let chain: EffectChain
    var channels: Int { chain.channels }
    var tap: StubTap? {
        didSet { chain.tap = tap?.tap }
    }

    init(channels: Int = 1, outputChannels: Int? = nil, makeStretcher: TimeStretcherMaker? = nil) {
        chain = EffectChain(
            sampleRate: 48000, channels: channels, outputChannels: outputChannels ?? channels,
            makeStretcher: makeStretcher)
    }

    func put(_ samples: [Float]) {
        unsafe chain.room(frames: samples.count / channels).update(from: samples, count: samples.count)
        chain.didDecode(frames: samples.count / channels)
    }

    /// Enqueues mono frames that count up.
    func put(counting range: Range<Int>) { put(range.map(Float.init)) }

    func process(_ frames: Int, isUrgent: Bool = false) -> [Float] {
        var output = [Float](repeating: .nan, count: frames * chain.outputChannels)
        let made = unsafe output.withUnsafeMutableBufferPointer { (room) -> Int in
            guard let start = room.baseAddress else { return 0 }
            return unsafe chain.process(into: start, capacityFrames: frames, isUrgent: isUrgent)
        }
        return Array(output.prefix(made * chain.outputChannels))
    }

    /// The whole output, in pieces of `step` frames.
    func processAll(step: Int = 700, isUrgent: Bool = true, limit: Int = 2_000_000) -> [Float] {
        var output: [Float] = []
        while output.count < limit {
            let piece = process(step, isUrgent: isUrgent)
            if piece.isEmpty { break }
            output += piece
        }
        return output
    }
}

func counted(_ range: Range<Int>) -> [Float] { range.map(Float.init) }

/// A tap with a record of its calls.
@safe struct StubTap: Sendable {
    struct Call: Sendable, Equatable {
        var frames: Int
        var sampleTime: Double
        var flags: QueueTapFlags
    }

    typealias Body =
        @Sendable (
            _ frames: Int, _ flags: inout QueueTapFlags, _ audio: UnsafeMutablePointer<AudioBufferList>,
            _ source: any QueueTapSource
        ) -> Int

    let tap: QueueTap
    let calls: Seen<Call>

    init(before isBeforeEffects: Bool = true, siphon isSiphon: Bool = false, body: @escaping Body) {
        let calls = Seen<Call>()
        self.calls = calls
        let kind: QueueTapFlags = isBeforeEffects ? .preEffects : .postEffects
        unsafe tap = QueueTap(isSiphon ? kind.union(.siphon) : kind) {
            frames, timeStamp, flags, audio, source in
            calls.add(Call(frames: frames, sampleTime: timeStamp.mSampleTime, flags: flags))
            return unsafe body(frames, &flags, audio, source)
        }
    }

    /// A tap that passes its source through a function.
    static func changing(
        before isBeforeEffects: Bool = true, _ change: @escaping @Sendable (Float) -> Float
    ) -> StubTap {
        unsafe StubTap(before: isBeforeEffects) { frames, flags, audio, source in
            let read = unsafe Self.read(frames, audio, source)
            flags = read.flags
            let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
            let buffers = unsafe list.count
            for channel in 0..<buffers {
                guard let data = unsafe list[channel].mData else { continue }
                let samples = unsafe data.assumingMemoryBound(to: Float.self)
                for index in 0..<read.frames { unsafe samples[index] = change(samples[index]) }
            }
            return read.frames
        }
    }

    /// Reads from the source, which must succeed.
    static func read(
        _ frames: Int, _ audio: UnsafeMutablePointer<AudioBufferList>, _ source: any QueueTapSource
    ) -> (frames: Int, flags: QueueTapFlags) {
        var time = AudioTimeStamp()
        do throws(QueueError) {
            return try unsafe source.read(frames: frames, timeStamp: &time, into: audio)
        } catch {
            return (-1, [])
        }
    }
}

extension OutputQueue {
    func installTap(_ stub: StubTap) throws(QueueError) -> QueueTapFormat { try installTap(stub.tap) }
}

extension InputQueue {
    func installTap(_ stub: StubTap) throws(QueueError) -> QueueTapFormat { try installTap(stub.tap) }
}

/// A stretcher that drops frames or repeats them, so frames can be traced.
final class StubStretcher: TimeStretcher {
    /// The settings in order.
    let settings: Seen<String>
    private let channels: Int
    private var frames: [Float] = []
    private var position = 0.0
    private var rate = 1.0
    private var isFinished = false
    /// The frames that must follow a frame before it is produced.
    let latencyFrames: Int

    init(channels: Int, latencyFrames: Int = 100, settings: Seen<String> = Seen()) {
        self.channels = channels
        self.latencyFrames = latencyFrames
        self.settings = settings
    }

    func setRate(_ rate: Double) {
        self.rate = rate
        settings.add("rate \(rate)")
    }

    func setPitch(cents: Double) { settings.add("pitch \(cents)") }

    func put(_ frames: UnsafePointer<Float>, count: Int) {
        unsafe self.frames += UnsafeBufferPointer(start: frames, count: count * channels)
    }

    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        let limit = frames.count / channels - (isFinished ? 0 : latencyFrames)
        var count = 0
        while count < capacity, position < Double(limit) {
            for channel in 0..<channels {
                unsafe output[count * channels + channel] = frames[Int(position) * channels + channel]
            }
            position += rate
            count += 1
        }
        return count
    }

    func finish() { isFinished = true }

    func restart() {
        frames = []
        position = 0
        isFinished = false
    }
}
