import AudioQueues
import CAudioToolbox
import CoreAudioTypes

/// A property of a queue as the published interface has it: for which queues, of what size, read and written how.
struct QueueProperty: Sendable {
    /// Which queues have it.
    enum Owner: Sendable { case both, outputs, inputs }

    /// What of the engine tells that it has changed.
    enum Notice: Sendable { case none, running, device, converterError }

    typealias Size = @Sendable (AudioQueueObject) throws(QueueError) -> Int
    typealias Reader = @Sendable (AudioQueueObject, PropertyReply) throws(QueueError) -> OSStatus
    typealias Writer = @Sendable (AudioQueueObject, PropertyData) throws(QueueError) -> Void

    let owner: Owner
    let notice: Notice
    let bytes: Size
    /// Nil for one that can only be set.
    let read: Reader?
    /// Nil for one that can only be read.
    let write: Writer?

    init(
        _ owner: Owner = .both, notice: Notice = .none, bytes: @escaping Size, read: Reader?,
        write: Writer? = nil
    ) {
        self.owner = owner
        self.notice = notice
        self.bytes = bytes
        self.read = read
        self.write = write
    }

    /// A property whose value is a number that is always of one size.
    static func value<Value: BitwiseCopyable & Sendable>(
        _ owner: Owner = .both, notice: Notice = .none,
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
            owner, notice: notice, bytes: { _ in MemoryLayout<Value>.size },
            read: { (object: AudioQueueObject, reply: PropertyReply) throws(QueueError) -> OSStatus in
                reply.value(try read(object), tooSmall: kAudioQueueErr_InvalidPropertySize)
            }, write: writer)
    }

    /// The property of an identifier.
    ///
    /// - Throws: ``QueueError/Code/invalidProperty``.
    static func find(_ id: AudioQueuePropertyID) throws(QueueError) -> QueueProperty {
        guard let property = all[id] else { throw QueueError(id, "is unknown") }
        return property
    }

    /// Makes sure that the queue is one that has this property.
    ///
    /// - Throws: ``QueueError/Code/invalidQueueType``.
    func check(_ object: AudioQueueObject) throws(QueueError) {
        switch owner {
        case .both: break
        case .outputs: _ = try object.output()
        case .inputs: _ = try object.input()
        }
    }

    /// All that there are. `kAudioQueueProperty_IntendedSpatialExperience` is not: it is of one system alone.
    private static let all: [AudioQueuePropertyID: QueueProperty] = {
        var all = running
        for group in [device, coding, levels, timePitch, latency] { all.merge(group) { first, _ in first } }
        return all
    }()

    private static let running: [AudioQueuePropertyID: QueueProperty] = [
        kAudioQueueProperty_IsRunning: .value(notice: .running) { object in
            UInt32(object.engine.isRunning ? 1 : 0)
        }
    ]
}

extension QueueError {
    /// A property that cannot be had, or not be had so.
    init(_ property: AudioQueuePropertyID, _ problem: String) {
        self.init(.invalidProperty, "property \(FourCharacterCode(rawValue: property)) of a queue \(problem)")
    }
}
