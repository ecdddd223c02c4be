// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import AQTestSupport

@testable import AQDevices

/// A message bus with RealtimeKit, as one client sees it: one socket, one script.
@safe final class ScriptedBus: @unchecked Sendable {
    // SAFETY: the descriptor never changes; the rest is behind a lock.

    enum Behaviour {
        /// Accepts connections and sends nothing.
        case silent
        /// Authenticates its clients, and sends nothing more.
        case mute
        /// Disconnects instead of an answer.
        case hangsUp
        /// Grants every request.
        case grants
        /// Answers that access is denied.
        case refuses
        /// Answers that nothing has this name.
        case isAlone
    }

    struct Call: Equatable {
        let member: String
        /// The arguments of the message.
        let body: [UInt8]
    }

    let address: String
    private let folder = ScratchFolder()
    private let listener: Int32
    private let behaviour: Behaviour
    private let played = Monitor<[Call]>([])

    /// The requests to RealtimeKit, without queries of its properties.
    var calls: [Call] { played.withLock { $0 } }

    /// Whether a connection has not been served.
    var hasVisitor: Bool {
        var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    init(_ behaviour: Behaviour) throws {
        self.behaviour = behaviour
        let path = folder.file("socket")
        address = "unix:path=\(path)"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &name.sun_path) {
            unsafe $0.copyBytes(from: Array(path.utf8))
        }
        let status = unsafe withUnsafePointer(to: &name) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(listener, 8) == 0 else { throw SystemFailure(errno) }
        if behaviour != .silent {
            _ = DetachedThread.start(named: "scripted bus") { [self] in
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else { return }
                    serve(client)
                    close(client)
                }
            }
        }
    }

    // Closed earlier, its number could be that of the next bus, from which this one's thread would accept.
    deinit { close(listener) }

    /// Accepts no more connections.
    func end() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ client: Int32) {
        while let line = readLine(client) {
            if line.contains("AUTH EXTERNAL") {
                send(client, Array("OK 00112233445566778899aabbccddeeff\r\n".utf8))
            }
            if line.contains("NEGOTIATE") { send(client, Array("ERROR\r\n".utf8)) }
            if line == "BEGIN" { break }
        }
        while let message = readMessage(client) {
            switch behaviour {
            case .silent, .mute: break
            case .hangsUp: return
            case .grants, .refuses, .isAlone: answer(client, message)
            }
        }
    }

    private struct Message {
        let serial: UInt32
        let header: String
        let body: [UInt8]
    }

    private func answer(_ client: Int32, _ message: Message) {
        if message.header.contains("Hello") {
            reply(client, to: message.serial, signature: "s", body: text(":1.1"))
            return
        }
        if behaviour == .isAlone {
            fail(client, message.serial, "org.freedesktop.DBus.Error.ServiceUnknown")
            return
        }
        let property = String(decoding: message.body, as: UTF8.self)
        if property.contains("RTTimeUSecMax") {
            reply(
                client, to: message.serial, signature: "v",
                body: [1, 0x78, 0, 0, 0, 0, 0, 0] + word(400_000) + word(0))
        } else if property.contains("MaxRealtimePriority") {
            reply(client, to: message.serial, signature: "v", body: [1, 0x69, 0, 0] + word(3))
        } else if property.contains("MinNiceLevel") {
            reply(
                client, to: message.serial, signature: "v",
                body: [1, 0x69, 0, 0] + word(UInt32(bitPattern: -9)))
        } else {
            let member = ["MakeThreadRealtime", "MakeThreadHighPriority"].first(
                where: message.header.contains)
            played.withLock { $0.append(Call(member: member ?? "", body: message.body)) }
            if behaviour == .grants {
                reply(client, to: message.serial, signature: "", body: [])
            } else {
                fail(client, message.serial, "org.freedesktop.DBus.Error.AccessDenied")
            }
        }
    }

    // MARK: The wire format, little-endian

    private func reply(_ client: Int32, to serial: UInt32, signature: String, body: [UInt8]) {
        var fields = [5, 1, 0x75, 0] + word(serial)
        if !signature.isEmpty {
            fields += [8, 1, 0x67, 0, UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]
        }
        send(client, kind: 2, fields: fields, body: body)
    }

    private func fail(_ client: Int32, _ serial: UInt32, _ name: String) {
        var fields: [UInt8] = [5, 1, 0x75, 0] + word(serial)
        fields += [4, 1, 0x73, 0] + text(name)
        send(client, kind: 3, fields: fields, body: [])
    }

    private func send(_ client: Int32, kind: UInt8, fields: [UInt8], body: [UInt8]) {
        var message: [UInt8] = [0x6C, kind, 1, 1] + word(UInt32(body.count)) + word(1)
        message += word(UInt32(fields.count)) + fields
        while message.count % 8 != 0 { message.append(0) }
        send(client, message + body)
    }

    private func readMessage(_ client: Int32) -> Message? {
        guard let fixed = read(client, 16) else { return nil }
        let fieldBytes = Int(number(fixed, 12))
        guard let fields = read(client, (fieldBytes + 7) / 8 * 8),
            let body = read(client, Int(number(fixed, 4)))
        else { return nil }
        return Message(serial: number(fixed, 8), header: String(decoding: fields, as: UTF8.self), body: body)
    }

    private func readLine(_ client: Int32) -> String? {
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual([13, 10]) {
            guard let byte = read(client, 1) else { return nil }
            line += byte
        }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }

    private func read(_ client: Int32, _ byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard byteCount > 0 else { return bytes }
        return unsafe recv(client, &bytes, byteCount, Int32(MSG_WAITALL)) == byteCount ? bytes : nil
    }

    private func send(_ client: Int32, _ bytes: [UInt8]) {
        _ = unsafe Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }
    }

    private func text(_ string: String) -> [UInt8] {
        word(UInt32(string.utf8.count)) + Array(string.utf8) + [0]
    }
}

/// The bytes of a number in a message.
func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

struct SystemFailure: Error {
    let number: Int32
    init(_ number: Int32) { self.number = number }
}
