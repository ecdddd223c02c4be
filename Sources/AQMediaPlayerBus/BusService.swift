// SPDX-License-Identifier: MIT

import Glibc
import AQToolSupport

/// The work of the bus's thread: connects, answers calls, and announces changes.
final class BusService {
    private let bus: MediaPlayerBus
    private var object: PlayerObject
    /// The properties as other programs know them.
    private var announced: [String: BusValue] = [:]

    init(_ bus: MediaPlayerBus) {
        self.bus = bus
        object = PlayerObject(identity: bus.identity, position: bus.position)
    }

    /// Serves until the player closes the bus, or the bus disconnects.
    func run(address: String) {
        defer { bus.artwork.remove() }
        // The first state before the name, because programs read it as soon as the name appears.
        guard takeState() != nil, let connection = BusConnection(address: address),
            connection.takeName(bus.name)
        else { return }
        announced = object.announcedProperties
        while announceChanges(connection), connection.transfer() {
            // Without this condition, replies could pile up that the bus does not read.
            while !connection.hasOutput, let message = connection.next() {
                guard answer(message, connection) else { return }
            }
            guard wait(for: connection) else { return }
        }
    }

    /// Waits for data of the bus, or for a change of the player. Returns false if the bus has disconnected.
    private func wait(for connection: borrowing BusConnection) -> Bool {
        let descriptor = connection.descriptor
        guard descriptor >= 0 else { return false }
        let direction = connection.hasOutput ? POLLOUT : POLLIN
        var requests = [
            pollfd(fd: descriptor, events: Int16(direction), revents: 0),
            pollfd(fd: bus.events.readDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&requests, nfds_t(requests.count), -1) >= 0 || errno == EINTR else { return false }
        while bus.events.next() != nil {}
        return true
    }

    // MARK: The state

    /// Copies the player's state. Returns whether the position has jumped; nil if the player has closed the bus.
    private func takeState() -> Bool? {
        guard let taken = bus.takeState() else { return nil }
        if taken.state.track?.artwork != object.state.track?.artwork
            || taken.state.track?.number != object.state.track?.number
        {
            object.artworkURL = bus.artwork.replace(by: taken.state.track?.artwork)
        }
        object.state = taken.state
        return taken.hasJumped
    }

    /// Announces what has changed, unless earlier messages wait. Returns false if the player has closed the bus.
    private func announceChanges(_ connection: borrowing BusConnection) -> Bool {
        if connection.hasOutput { return !bus.isClosed }
        guard let hasJumped = takeState() else { return false }
        let properties = object.announcedProperties
        let changed = properties.filter { announced[$0.key] != $0.value }
        announced = properties
        if !changed.isEmpty {
            send(
                .signal(PlayerObject.path, PlayerInterface.properties, "PropertiesChanged"),
                [.string(PlayerInterface.player), .dictionary(changed), .strings([])], connection)
        }
        if hasJumped {
            send(
                .signal(PlayerObject.path, PlayerInterface.player, "Seeked"),
                [.int64(max(0, object.position()))], connection)
        }
        return true
    }

    // MARK: Calls

    /// Answers a message. Returns false if the player has closed the bus.
    private func answer(_ message: borrowing BusMessage, _ connection: borrowing BusConnection) -> Bool {
        guard let call = message.call else { return true }
        do throws(BusFailure) {
            switch object.answer(call) {
            case .reply(let values): reply(to: message, values, connection)
            case .fail(let failure): throw failure
            case .perform(.quit):
                // The process may end before it could reply.
                reply(to: message, [], connection)
                _ = connection.transfer()
                try bus.execute(.quit, isAwaited: false)
            case .perform(let command):
                try bus.execute(command, isAwaited: true)
                guard announceChanges(connection) else { return false }
                reply(to: message, [], connection)
            }
        } catch {
            if message.wantsReply { send(message.failure(error), [], connection) }
        }
        return true
    }

    private func reply(
        to message: borrowing BusMessage, _ values: [BusValue], _ connection: borrowing BusConnection
    ) {
        if message.wantsReply { send(message.reply(), values, connection) }
    }

    /// Sends a message with arguments. If there is no memory, it is dropped.
    private func send(
        _ message: consuming BusMessage?, _ values: [BusValue], _ connection: borrowing BusConnection
    ) {
        guard let message, message.append(values) else { return }
        connection.send(message)
    }
}
