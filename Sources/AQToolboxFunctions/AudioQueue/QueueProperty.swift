// SPDX-License-Identifier: MIT

import AudioQueues
import CAQAudioToolbox
import CoreAudioTypes

/// A property of a queue in the published interface: its queues, its size, and its functions for reading and
/// writing.
struct QueueProperty: Sendable {
    /// The queue types that have a property.
    enum Owner: Sendable { case both, outputs, inputs }

    /// The engine's events for changes of a property, by queue type.
    struct ChangeEvent: Sendable {
        let output: OutputQueue.Property
        let input: InputQueue.Property

        static let running = ChangeEvent(output: .isRunning, input: .isRunning)
        static let device = ChangeEvent(output: .device, input: .device)
        static let converterError = ChangeEvent(output: .converterError, input: .converterError)
    }

    typealias Size = @Sendable (AudioQueueObject) throws(QueueError) -> Int
    typealias Reader = @Sendable (AudioQueueObject) throws(QueueError) -> PropertyAnswer
    typealias Writer = @Sendable (AudioQueueObject, PropertyData) throws(QueueError) -> Void

    let owner: Owner
    /// The events; nil for a property that changes only by being set.
    let event: ChangeEvent?
    /// The query for the size; nil if the value is read to find its size.
    private let bytes: Size?
    /// The function that reads the value; nil for a property that can only be set.
    let read: Reader?
    /// The function that sets the value; nil for a property that can only be read.
    let write: Writer?

    init(
        _ owner: Owner = .both, event: ChangeEvent? = nil, bytes: Size? = nil, read: Reader?,
        write: Writer? = nil
    ) {
        self.owner = owner
        self.event = event
        self.bytes = bytes
        self.read = read
        self.write = write
    }

    /// Makes a property whose value is a number or a struct of a constant size.
    static func value<Value: BitwiseCopyable & Sendable>(
        _ owner: Owner = .both, event: ChangeEvent? = nil,
        read: @escaping @Sendable (AudioQueueObject) throws(QueueError) -> Value,
        write: (@Sendable (AudioQueueObject, Value) throws(QueueError) -> Void)? = nil
    ) -> QueueProperty {
        var writer: Writer?
        if let write {
            writer = { (object: AudioQueueObject, data: PropertyData) throws(QueueError) in
                try write(object, data.value())
            }
        }
        return QueueProperty(
            owner, event: event, bytes: { _ in MemoryLayout<Value>.size },
            read: { (object: AudioQueueObject) throws(QueueError) -> PropertyAnswer in
                .one(try read(object))
            }, write: writer)
    }

    /// The property of an identifier.
    ///
    /// - Throws: ``QueueError/Code/invalidProperty``.
    static func find(_ id: AudioQueuePropertyID) throws(QueueError) -> QueueProperty {
        guard let property = all[id] else { throw QueueError(.invalidProperty) }
        return property
    }

    func byteCount(of object: AudioQueueObject) throws(QueueError) -> Int {
        if let bytes { return try bytes(object) }
        guard let read else { return 0 }
        return try read(object).byteCount
    }

    /// Checks that the queue has this property.
    ///
    /// - Throws: ``QueueError/Code/invalidQueueType``.
    func check(_ object: AudioQueueObject) throws(QueueError) {
        switch owner {
        case .both: break
        case .outputs: _ = try object.output()
        case .inputs: _ = try object.input()
        }
    }

    /// All properties except `kAudioQueueProperty_IntendedSpatialExperience`, which belongs to one of Apple's
    /// systems.
    private static let all: [AudioQueuePropertyID: QueueProperty] = {
        var all = running
        for group in [device, coding, levels, timePitch, latency] { all.merge(group) { first, _ in first } }
        return all
    }()

    private static let running: [AudioQueuePropertyID: QueueProperty] = [
        kAudioQueueProperty_IsRunning: .value(event: .running) { object in
            UInt32(object.engine.isRunning ? 1 : 0)
        }
    ]
}
