import Synchronization

/// The number of live objects of a group of queues.
///
/// A process has one group. A test makes its own, to count its objects while other tests run.
final class LiveObjects: Sendable {
    /// The counters of the queues and threads that the calling task or thread makes.
    @TaskLocal static var current = LiveObjects()

    let queues = Atomic<Int>(0)
    let buffers = Atomic<Int>(0)
    let threads = Atomic<Int>(0)
}
