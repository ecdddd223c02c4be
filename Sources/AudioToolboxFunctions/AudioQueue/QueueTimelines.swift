import AudioDevices
import AudioQueues
import CAudioToolbox
import Synchronization

/// What is behind an `AudioQueueTimelineRef`.
final class AudioQueueTimelineObject: Sendable {
    /// The timelines of this process.
    static let table = HandleTable<AudioQueueTimelineObject>()

    let timeline: QueueTimeline
    /// The queue that it is of, in bits of its handle.
    let queue: UInt
    /// The number of the call that asked for it last.
    let latestUse = Atomic<UInt64>(0)

    init(_ timeline: QueueTimeline, of queue: UInt) {
        self.timeline = timeline
        self.queue = queue
    }
}

/// The timelines of one queue.
///
/// COMPAT: some programs make a timeline each time that they ask for the time, and dispose of none. So there is a
/// bound, behind which those go that nobody has asked for the longest.
struct QueueTimelines: Sendable {
    /// More than any program has in use.
    static let maximumTimelines = 1024

    private var entries: [(handle: UInt, timeline: AudioQueueTimelineObject)] = []
    private var uses: UInt64 = 0

    /// Adds a timeline.
    ///
    /// - Returns: The handles of those that have to go.
    mutating func add(_ handle: UInt, _ timeline: AudioQueueTimelineObject) -> [UInt] {
        var dropped: [UInt] = []
        if entries.count >= QueueTimelines.maximumTimelines {
            entries.sort {
                $0.timeline.latestUse.load(ordering: .relaxed)
                    > $1.timeline.latestUse.load(ordering: .relaxed)
            }
            // Half of them, so that sorting is seldom.
            let kept = QueueTimelines.maximumTimelines / 2
            dropped = entries[kept...].map(\.handle)
            entries.removeSubrange(kept...)
        }
        entries.append((handle, timeline))
        use(timeline)
        return dropped
    }

    /// Takes note that a timeline is asked for.
    mutating func use(_ timeline: AudioQueueTimelineObject) {
        uses += 1
        timeline.latestUse.store(uses, ordering: .relaxed)
    }

    mutating func remove(_ handle: UInt) { entries.removeAll { $0.handle == handle } }

    /// - Returns: The handles of all.
    mutating func removeAll() -> [UInt] {
        defer { entries = [] }
        return entries.map(\.handle)
    }
}
