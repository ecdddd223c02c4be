import AudioDevices
import AudioQueues
import CoreAudioTypes

/// The common members of both types of queue.
protocol EngineQueue: QueueWishes {
    var format: AudioStreamBasicDescription { get }

    func start() throws(QueueError)
    func pause() throws(QueueError)
    func stop(immediate: Bool) throws(QueueError)
    func flush() throws(QueueError)
    func reset() throws(QueueError)
    func dispose(immediate: Bool) throws(QueueError)

    func allocateBuffer(byteCapacity: Int, packetDescriptionCapacity: Int) throws(QueueError) -> QueueBuffer
    func free(_ buffer: QueueBuffer) throws(QueueError)

    func makeTimeline() -> QueueTimeline
    func currentTime(on timeline: QueueTimeline?) throws(QueueError) -> QueueTime

    var isRunning: Bool { get }
    var failure: QueueError? { get }
    var converterError: QueueError? { get }
    var granted: GrantedLatency? { get }
    var magicCookie: [UInt8] { get }
    var isMeteringEnabled: Bool { get set }
    func levels() -> [ChannelLevel]

    func removeListener(_ token: QueueListenerToken)
}

extension OutputQueue: EngineQueue {}
extension InputQueue: EngineQueue {}
