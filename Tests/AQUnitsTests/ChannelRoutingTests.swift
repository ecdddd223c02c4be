// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQUnits

@Suite("A channel map")
struct ChannelRoutingTests {
    /// Two frames of the result, with samples of one byte; nil if no step is needed.
    private func routed(
        _ side: IOUnit.Side, _ map: [Int], clientChannels: Int, deviceChannels: Int
    ) -> [UInt8]? {
        let routing = ChannelRouting(
            side, map: map, clientChannels: clientChannels, deviceChannels: deviceChannels, sampleBytes: 1,
            capacityFrames: 2)
        guard let routing else { return nil }
        let client = unsafe routing.clientSamples
        // Channel 3 of frame 1 is 13.
        func fill(_ samples: UnsafeMutableRawBufferPointer, channels: Int) {
            for index in 0..<2 * channels {
                unsafe samples[index] = UInt8(index / channels * 10 + index % channels)
            }
        }
        var device = [UInt8](repeating: 0xAA, count: 2 * deviceChannels)
        return unsafe device.withUnsafeMutableBytes { device in
            if side == .output {
                unsafe fill(client, channels: clientChannels)
                unsafe routing.route(frames: 2, toDevice: device)
                return unsafe Array(device)
            }
            unsafe fill(device, channels: deviceChannels)
            unsafe client.initializeMemory(as: UInt8.self, repeating: 0xAA)
            unsafe device.baseAddress.map { unsafe routing.route(frames: 2, fromDevice: $0) }
            return unsafe Array(client)
        }
    }

    @Test("names the client's channel for each channel of the output")
    func output() {
        expectEqual(routed(.output, [1, 0], clientChannels: 2, deviceChannels: 2), [1, 0, 11, 10])
        expectEqual(
            routed(.output, [-1, 1, 1, -1], clientChannels: 2, deviceChannels: 4),
            [
                0, 1, 1, 0, 0, 11, 11, 0,
            ])
        expectEqual(routed(.output, [2], clientChannels: 3, deviceChannels: 1), [2, 12])
    }

    @Test("names the device's channel for each captured channel of the client")
    func input() {
        expectEqual(routed(.input, [3, -1], clientChannels: 2, deviceChannels: 4), [3, 0, 13, 0])
        expectEqual(routed(.input, [0, 0, 0], clientChannels: 3, deviceChannels: 1), [0, 0, 0, 10, 10, 10])
    }

    @Test("makes channels silent that it does not name, or for which it names one that is not there")
    func incomplete() {
        expectEqual(routed(.output, [1], clientChannels: 2, deviceChannels: 3), [1, 0, 0, 11, 0, 0])
        expectEqual(routed(.output, [], clientChannels: 2, deviceChannels: 2), [0, 0, 0, 0])
        expectEqual(routed(.output, [2, 1, 0], clientChannels: 2, deviceChannels: 2), [0, 1, 0, 11])
        expectEqual(routed(.input, [7, 1], clientChannels: 2, deviceChannels: 2), [0, 1, 0, 11])
        expectEqual(routed(.input, [.min, .max], clientChannels: 2, deviceChannels: 2), [0, 0, 0, 0])
    }

    @Test("needs no step if every channel stays what it is")
    func identity() {
        expectEqual(routed(.output, [0, 1], clientChannels: 2, deviceChannels: 2), nil)
        expectEqual(routed(.input, [0, 1, 5], clientChannels: 2, deviceChannels: 2), nil)
        #expect(routed(.output, [0, 1], clientChannels: 2, deviceChannels: 3) != nil)
        expectEqual(routed(.output, [0, 1], clientChannels: 3, deviceChannels: 2), [0, 1, 10, 11])
    }

    @Test("moves whole samples", arguments: [2, 3, 4])
    func widths(sampleBytes: Int) throws {
        let routing = try #require(
            ChannelRouting(
                .output, map: [1, -1, 0], clientChannels: 2, deviceChannels: 3, sampleBytes: sampleBytes,
                capacityFrames: 1))
        for index in 0..<2 * sampleBytes { unsafe routing.clientSamples[index] = UInt8(index + 1) }
        var device = [UInt8](repeating: 0xAA, count: 3 * sampleBytes)
        unsafe device.withUnsafeMutableBytes { unsafe routing.route(frames: 1, toDevice: $0) }
        let (first, second) = (1...sampleBytes, sampleBytes + 1...2 * sampleBytes)
        expectEqual(
            device,
            second.map(UInt8.init) + [UInt8](repeating: 0, count: sampleBytes)
                + first.map(UInt8.init))
    }
}
