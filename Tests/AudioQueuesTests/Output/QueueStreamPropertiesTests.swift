// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Properties of a queue's stream") struct QueueStreamPropertiesTests {
        /// A manual device that records the properties of its streams.
        private final class AskedDevice: OutputDevice {
            let name = "asked"
            let manual = ManualDevice()
            let asked = Seen<OutputStreamConfiguration>()

            func makeStream(
                _ configuration: OutputStreamConfiguration
            ) throws(DeviceError) -> any OutputStream {
                asked.add(configuration)
                return try manual.makeStream(configuration)
            }
        }

        private func ask(_ configuration: OutputQueue.Configuration) throws -> OutputStreamConfiguration {
            let device = AskedDevice()
            let queue = try OutputQueue(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device,
                configuration: configuration
            ) { _, _ in }
            expectEqual(queue.name, configuration.name)
            queue.name = "later"
            expectEqual(queue.name, "later")
            try queue.dispose(immediate: true)
            return try #require(device.asked.all.first)
        }

        @Test("are music with the program's name, unless the client sets others")
        func usual() throws {
            let asked = try ask(OutputQueue.Configuration())
            #expect(asked.streamName == nil && asked.role == .music && asked.iconName == nil)
        }

        @Test("are those of the client")
        func chosen() throws {
            let asked = try ask(
                OutputQueue.Configuration(name: "level 1", role: .game, iconName: "applications-games"))
            #expect(asked.streamName == "level 1" && asked.role == .game)
            expectEqual(asked.iconName, "applications-games")
        }

        @Test("can have no role")
        func none() throws {
            try expectEqual(ask(OutputQueue.Configuration(role: nil)).role, nil)
        }
    }
}
