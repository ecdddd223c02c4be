// SPDX-License-Identifier: MIT

import Testing

@testable import AQDevices

/// A capture stream of one 16-bit channel, with memory for its segments and a record of its events.
@safe final class Recorder {
    let stream: any InputStream
    private let memory: UnsafeMutablePointer<Int16>
    private var usedSamples = 0
    private var rooms: [UInt64: (offset: Int, samples: Int)] = [:]
    private static let memorySamples = 1 << 20

    init(_ device: any InputDevice, heldSeconds: Double = 0.5, isBigEndian: Bool = false) throws {
        let format = SampleFormat(
            encoding: .signed16, isBigEndian: isBigEndian, sampleRate: 8000, channelLabels: [1])
        stream = try device.makeStream(InputStreamConfiguration(format: format, heldSeconds: heldSeconds))
        unsafe memory = .allocate(capacity: Recorder.memorySamples)
        unsafe memory.initialize(repeating: -1, count: Recorder.memorySamples)
    }

    deinit { unsafe memory.deallocate() }

    /// Enqueues a segment of `samples` samples, filled with -1.
    func enqueue(_ samples: Int, token: UInt64, tells: Bool = true) {
        if usedSamples + samples > Recorder.memorySamples { usedSamples = 0 }
        rooms[token] = (usedSamples, samples)
        let segment = unsafe StreamSegment(
            room: UnsafeMutableRawPointer(memory + usedSamples), byteCount: samples * 2, token: token)
        usedSamples += samples
        #expect(stream.feed.enqueue(segment))
        if tells { stream.roomAvailable() }
    }

    /// The samples of a returned segment.
    func samples(_ event: DeviceEvent) -> [Int16] {
        guard let room = rooms[event.token] else { return [] }
        return (0..<(event.byteCount / 2)).map { unsafe memory[room.offset + $0] }
    }

    func memory(ofToken token: UInt64) -> [Int16] {
        guard let room = rooms[token] else { return [] }
        return (0..<room.samples).map { unsafe memory[room.offset + $0] }
    }

    func events() -> [DeviceEvent] {
        var found: [DeviceEvent] = []
        while let event = stream.feed.nextEvent() { found.append(event) }
        return found
    }

    func kinds() -> [DeviceEvent.Kind] { events().map(\.kind) }

    /// Waits for the next event, at most ten seconds.
    func nextEvent() -> DeviceEvent? {
        let deadline = hostTime() + 10_000_000_000
        while hostTime() < deadline {
            if let event = stream.feed.nextEvent() { return event }
            stream.feed.waitForEvent(until: deadline)
        }
        return nil
    }
}

extension ManualSource {
    func capture(_ samples: [Int16]) {
        unsafe samples.withUnsafeBytes { unsafe capture($0) }
    }
}

func hostTime() -> UInt64 {
    CaptureClock().position().hostTime
}
