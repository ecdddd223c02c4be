// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import Testing

@testable import AQToolboxFunctions

@Suite struct PropertyReplyTests {
    private static let tooSmall: OSStatus = -77

    /// Writes a reply into a number of bytes.
    private func answer(
        room: UInt32, _ body: (PropertyReply) -> OSStatus
    ) -> (status: OSStatus, bytes: [UInt8], size: UInt32) {
        var bytes = [UInt8](repeating: 0xEE, count: 16)
        var size = room
        let status = unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe withUnsafeMutablePointer(to: &size) { size in
                body(unsafe PropertyReply(memory.baseAddress, size))
            }
        }
        return (status, bytes, size)
    }

    @Test("a value is written completely, with its size, or not at all")
    func givesValue() {
        let good = answer(room: 16) {
            $0.status(ofGiving: .one(UInt32(0x0101_0101)), tooSmall: Self.tooSmall)
        }
        #expect(good.status == noErr && good.size == 4)
        expectEqual(Array(good.bytes[..<5]), [1, 1, 1, 1, 0xEE])
        let bad = answer(room: 3) { $0.status(ofGiving: .one(UInt32(0x0101_0101)), tooSmall: Self.tooSmall) }
        #expect(bad.status == Self.tooSmall && bad.size == 3 && bad.bytes[0] == 0xEE)
    }

    @Test("bytes are written completely, or not at all")
    func givesBytes() {
        let good = answer(room: 3) { $0.status(ofGiving: .bytes([1, 2, 3]), tooSmall: Self.tooSmall) }
        #expect(good.status == noErr && good.size == 3 && Array(good.bytes[..<4]) == [1, 2, 3, 0xEE])
        let bad = answer(room: 2) { $0.status(ofGiving: .bytes([1, 2, 3]), tooSmall: Self.tooSmall) }
        #expect(bad.status == Self.tooSmall && bad.bytes[0] == 0xEE)
        let none = answer(room: 2) { $0.status(ofGiving: .bytes([]), tooSmall: Self.tooSmall) }
        #expect(none.status == noErr && none.size == 0)
    }

    @Test("as many elements are written as fit completely")
    func givesElements() {
        let values: [UInt16] = [0x0101, 0x0202, 0x0303]
        let part = answer(room: 5) { $0.status(ofGiving: .many(values), tooSmall: Self.tooSmall) }
        #expect(part.status == noErr && part.size == 4 && Array(part.bytes[..<5]) == [1, 1, 2, 2, 0xEE])
        let bad = answer(room: 1) { $0.status(ofGiving: .many(values), tooSmall: Self.tooSmall) }
        #expect(bad.status == Self.tooSmall && bad.bytes[0] == 0xEE)
        let none = answer(room: 0) { $0.status(ofGiving: .many([UInt16]()), tooSmall: Self.tooSmall) }
        #expect(none.status == noErr && none.size == 0)
    }

    @Test("an object is created only if its reference fits, and is returned retained")
    func givesObjects() {
        final class Object {}
        weak var made: Object?
        var bytes = [UInt](repeating: 0, count: 1)
        var size: UInt32 = 8
        let status = unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe withUnsafeMutablePointer(to: &size) { size in
                unsafe PropertyReply(memory.baseAddress, size).status(
                    ofGiving: .object {
                        let object = Object()
                        made = object
                        return object
                    }, tooSmall: Self.tooSmall)
            }
        }
        expectEqual(status, noErr)
        #expect(made != nil)
        if let address = unsafe UnsafeRawPointer(bitPattern: bytes[0]) {
            unsafe Unmanaged<Object>.fromOpaque(address).release()
        }
        #expect(made == nil)
        let bad = answer(room: 7) { reply in
            reply.status(
                ofGiving: .object {
                    Issue.record("it was made")
                    return nil
                }, tooSmall: Self.tooSmall)
        }
        expectEqual(bad.status, Self.tooSmall)
    }

    @Test("without memory or size nothing is written")
    func refusesNull() {
        var (memory, size): (UInt32, UInt32) = (7, 4)
        let withoutMemory = unsafe withUnsafeMutablePointer(to: &size) { size in
            unsafe PropertyReply(nil, size).status(ofGiving: .one(UInt32(1)), tooSmall: Self.tooSmall)
        }
        expectEqual(withoutMemory, kAudio_ParamError)
        let withoutSize = unsafe withUnsafeMutablePointer(to: &memory) { memory in
            unsafe PropertyReply(memory, nil).status(ofGiving: .one(UInt32(1)), tooSmall: Self.tooSmall)
        }
        expectEqual(withoutSize, kAudio_ParamError)
        expectEqual(memory, 7)
    }
}
