// SPDX-License-Identifier: MIT

import Testing

@testable import AQDevices

/// A stream of bytes on a manual device of its own. The byte at each offset is the offset.
@safe final class ManualPlayer {
    static let format = SampleFormat(encoding: .unsigned8, sampleRate: 8000, channelLabels: [42])

    let device = ManualDevice()
    let stream: any OutputStream
    private let memory: UnsafeMutablePointer<UInt8>

    init() throws {
        stream = try device.makeStream(OutputStreamConfiguration(format: ManualPlayer.format))
        unsafe memory = .allocate(capacity: 256)
        for index in 0..<256 { unsafe memory[index] = UInt8(index) }
    }

    deinit { unsafe memory.deallocate() }

    func enqueue(_ range: Range<Int>, token: UInt64 = 0) {
        let segment = unsafe StreamSegment(
            base: memory + range.lowerBound, byteCount: range.count, token: token)
        let isTaken = stream.feed.enqueue(segment)
        #expect(isTaken)
        stream.dataAvailable()
    }

    func render(_ frames: Int) -> [UInt8] { device.render(frames: frames).first ?? [] }

    func events() -> [DeviceEvent.Kind] {
        var kinds: [DeviceEvent.Kind] = []
        while let event = stream.feed.nextEvent() { kinds.append(event.kind) }
        return kinds
    }
}
