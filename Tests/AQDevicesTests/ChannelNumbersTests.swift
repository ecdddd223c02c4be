// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct ChannelNumbersTests {
    private static let format = SampleFormat(
        encoding: .signed16, sampleRate: 48_000, channelLabels: [1, 2])

    @Test(
        "the format's number of channels can be selected from the device's",
        arguments: [[1, 2], [2, 1], [7, 7], [32, 1]])
    func taken(numbers: [Int]) throws {
        let output = OutputStreamConfiguration(format: ChannelNumbersTests.format, channelNumbers: numbers)
        _ = try ManualDevice().makeStream(output)
        let input = InputStreamConfiguration(format: ChannelNumbersTests.format, channelNumbers: numbers)
        _ = try ManualSource().makeStream(input)
    }

    @Test(
        "other numbers of channels are refused without a query of a device",
        arguments: [[], [1], [1, 2, 3], [0, 1], [1, 33], [-1, Int.max]])
    func refused(numbers: [Int]) {
        let output = OutputStreamConfiguration(format: ChannelNumbersTests.format, channelNumbers: numbers)
        let outputError = #expect(throws: DeviceError.self) { try ManualDevice().makeStream(output) }
        expectEqual(outputError?.code, .unsupportedFormat)
        let input = InputStreamConfiguration(format: ChannelNumbersTests.format, channelNumbers: numbers)
        let inputError = #expect(throws: DeviceError.self) { try ManualSource().makeStream(input) }
        expectEqual(inputError?.code, .unsupportedFormat)
    }

    @Test("a device without hardware has the largest number of channels")
    func ownChannels() throws {
        try expectEqual(ManualDevice().ownChannels(timeoutSeconds: 1), SampleFormat.maximumChannels)
        try expectEqual(VirtualDevice().ownChannels(timeoutSeconds: 1), SampleFormat.maximumChannels)
    }
}
