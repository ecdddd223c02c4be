// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreFoundation
import Testing

@testable import AQToolboxFunctions

@Suite("Values of the hardware API in a caller's memory") struct HardwareValueTests {
    private let table = HardwareObjectTable()

    /// Writes a value into `room` bytes, and returns the bytes and the reported size.
    private func write(
        _ value: HardwareValue, room: Int
    ) -> (status: OSStatus, bytes: [UInt8], size: UInt32) {
        var memory = [UInt8](repeating: 0xA5, count: 256)
        var size = UInt32(room)
        let status = unsafe memory.withUnsafeMutableBytes { memory in
            unsafe withUnsafeMutablePointer(to: &size) { size in
                unsafe PropertyReply(memory.baseAddress, size).status(
                    ofGiving: value.answer(numbering: table), tooSmall: kAudioHardwareBadPropertySizeError)
            }
        }
        return (status, memory, size)
    }

    @Test(
        "the size reported first is the size that is written",
        arguments: [
            HardwareValue.number(7), .numbers([1, 2]), .real(48000), .single(0.5), .range(64, 4096),
            .format(channels: 2, sampleRate: 48000), .singleValueRanges([44100, 48000]),
            .object(nil), .objects([.system, .system]), .bufferList(channels: []), .bufferList(channels: [2]),
            .text("name"), .null,
        ])
    func sizes(value: HardwareValue) {
        let answer = write(value, room: 256)
        expectEqual(answer.status, noErr)
        expectEqual(Int(answer.size), value.byteCount)
        expectEqual(answer.bytes[value.byteCount], 0xA5)
        guard case .text(let text) = value else { return }
        let pointer = unsafe answer.bytes.withUnsafeBytes {
            unsafe $0.loadUnaligned(as: UnsafeRawPointer.self)
        }
        // The caller must release it, like all strings.
        let string = unsafe Unmanaged<CFString>.fromOpaque(pointer).takeRetainedValue()
        expectEqual(CFStringGetLength(string), text.utf16.count)
    }

    @Test("a list of buffers has the published layout") func bufferList() {
        let answer = write(.bufferList(channels: [2]), room: 24)
        expectEqual(answer.status, noErr)
        expectEqual(answer.size, 24)
        expectEqual(
            Array(answer.bytes[0..<24]), [1, 0, 0, 0, 0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 15))
    }

    @Test("a list of no buffers has 8 bytes") func emptyBufferList() {
        expectEqual(HardwareValue.bufferList(channels: []).byteCount, 8)
    }

    @Test("lists of objects are truncated to the room, other values are refused") func smallMemory() {
        let objects = write(.objects([.system, .system, .system]), room: 11)
        expectEqual(objects.status, noErr)
        expectEqual(objects.size, 8)
        let tooSmall = kAudioHardwareBadPropertySizeError
        expectEqual(write(.real(1), room: 7).status, tooSmall)
        expectEqual(write(.text("name"), room: 4).status, tooSmall)
        expectEqual(write(.bufferList(channels: [2]), room: 23).status, tooSmall)
        #expect(write(.bufferList(channels: [2]), room: 23).bytes.allSatisfy { $0 == 0xA5 })
    }

    @Test(
        "text is unchanged by a conversion to CoreFoundation and back",
        arguments: [
            "", "alsa_output.pci-0000_00_1f.3.analog-stereo", "Lautsprecher für Gäste", "耳机 🎧",
        ])
    func text(text: String) throws {
        let string = try #require(AudioFileObject.string(text))
        expectEqual(HardwareText.read(string), text)
    }

    @Test("a text that is too long is not a device's name") func longText() throws {
        let string = try #require(AudioFileObject.string(String(repeating: "x", count: 5000)))
        expectEqual(HardwareText.read(string), nil)
    }
}
