// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox
import Synchronization

/// The object of an `AudioQueueTimelineRef`.
final class AudioQueueTimelineObject: Sendable {
    static let table = HandleTable<AudioQueueTimelineObject>()

    let timeline: QueueTimeline
    /// The bits of the queue's handle.
    let queue: UInt
    /// The number of the last call that used the timeline.
    let latestUse = Atomic<UInt64>(0)

    init(_ timeline: QueueTimeline, of queue: UInt) {
        self.timeline = timeline
        self.queue = queue
    }
}

/// The timelines of one queue.
///
/// COMPAT: some programs make a timeline for each query of the time, and dispose of none. So their number is
/// limited: those that have not been used for the longest time are removed.
struct QueueTimelines: Sendable {
    /// The limit of timelines, which is more than any program uses at a time.
    static let maximumTimelines = 1024

    private var entries: [(handle: UInt, timeline: AudioQueueTimelineObject)] = []
    private var uses: UInt64 = 0

    /// Adds a timeline.
    ///
    /// - Returns: The handles of the removed timelines.
    mutating func add(_ handle: UInt, _ timeline: AudioQueueTimelineObject) -> [UInt] {
        var dropped: [UInt] = []
        if entries.count >= QueueTimelines.maximumTimelines {
            entries.sort {
                $0.timeline.latestUse.load(ordering: .relaxed)
                    > $1.timeline.latestUse.load(ordering: .relaxed)
            }
            // Half of them, so that sorting is rare.
            let kept = QueueTimelines.maximumTimelines / 2
            dropped = entries[kept...].map(\.handle)
            entries.removeSubrange(kept...)
        }
        entries.append((handle, timeline))
        use(timeline)
        return dropped
    }

    mutating func use(_ timeline: AudioQueueTimelineObject) {
        uses += 1
        timeline.latestUse.store(uses, ordering: .relaxed)
    }

    mutating func remove(_ handle: UInt) { entries.removeAll { $0.handle == handle } }

    /// Removes all timelines, and returns their handles.
    mutating func removeAll() -> [UInt] {
        defer { entries = [] }
        return entries.map(\.handle)
    }
}
