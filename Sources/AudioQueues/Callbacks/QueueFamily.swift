import AudioDevices
import Synchronization

/// Queues that share threads and real-time places, and the number of their live objects.
///
/// A process has one. A test makes its own, to count its live objects while other tests run. Families live as long as
/// the process, because devices refer to the lists of shared threads without a count.
final class QueueFamily: Sendable {
    /// The family of the queues and threads that the calling task or thread creates.
    @TaskLocal static var current = QueueFamily()

    let queues = Atomic<Int>(0)
    let buffers = Atomic<Int>(0)
    let threads = Atomic<Int>(0)

    /// Threads for queues where delays of callbacks are audible.
    let urgentThreads = SharedThreads(isUrgent: true)
    let unhurriedThreads = SharedThreads(isUrgent: false)
    let realTimePlaces = RealTimePlace.Pool()
}
