// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// Reads cookies and packet headers; a valid one can be written, and is then read as the same.
final class CookieTarget: FuzzTarget {
    func test(_ input: [UInt8]) -> Bool {
        readConfig(input)
        readDescriptor(input)
        readLossless(input)
        readHeader(input)
        return true
    }

    private func readConfig(_ input: [UInt8]) {
        if let config = try? AudioSpecificConfig(bytes: input) {
            require(1...93 ~= config.channels, "a config has channels: \(config)")
            require(config.sampleRate > 0, "a config has a rate: \(config)")
            let again = try? AudioSpecificConfig(bytes: config.bytes)
            require(again == config, "a config is read as it was written: \(config)")
        }
        if let config = try? AACCookie.audioSpecificConfig(inCookie: input) {
            let cookie = AACCookie.cookie(for: config, bitRate: 128_000, maximumPacketSize: 768)
            let again = try? AACCookie.audioSpecificConfig(inCookie: cookie)
            require(again == config, "a cookie is read as it was written: \(config)")
        }
    }

    private func readDescriptor(_ input: [UInt8]) {
        guard let descriptor = try? ElementaryStreamDescriptor(bytes: input) else { return }
        require(descriptor.decoderSpecificInfo.count <= input.count, "a descriptor holds what it was given")
        let again = try? ElementaryStreamDescriptor(bytes: descriptor.bytes)
        require(again == descriptor, "a descriptor is read as it was written: \(descriptor)")
    }

    private func readLossless(_ input: [UInt8]) {
        guard let config = try? ALACSpecificConfig(bytes: input) else { return }
        require(1...8 ~= config.channels, "a config has channels: \(config)")
        require(config.format.mFramesPerPacket > 0, "a config has frames: \(config)")
        let again = try? ALACSpecificConfig(bytes: config.bytes)
        require(again == config, "a config is read as it was written: \(config)")
    }

    private func readHeader(_ input: [UInt8]) {
        guard let header = ADTSHeader(bytes: input) else { return }
        require(header.frameBytes >= header.headerBytes, "a frame holds its header: \(header)")
        require(header.isSameStream(as: header), "a header is like itself: \(header)")
        let packet = input.dropFirst(header.headerBytes)
        guard let config = try? header.audioSpecificConfig(packet: packet) else { return }
        require(1...93 ~= config.channels, "a config has channels: \(config)")
        let extra = ADTSHeader.programConfigBytes(for: config, packet: packet)
        guard let bytes = try? ADTSHeader.bytes(for: config, packetBytes: 1 + extra.count) else {
            require(false, "the config of a header makes a header: \(config)")
            return
        }
        let again = ADTSHeader(bytes: bytes)
        require(again?.isSameStream(as: header) == true, "a header is read as it was written: \(header)")
    }
}
