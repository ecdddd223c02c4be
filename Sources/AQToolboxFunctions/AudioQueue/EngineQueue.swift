// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes

/// The common members of both queue types: the public ones of the engine, and those of this package.
protocol EngineQueue: AnyObject, Sendable {
    var format: AudioStreamBasicDescription { get }

    func start() throws(QueueError)
    func start(atHostTime hostTime: UInt64) throws(QueueError)
    func awaitStart() throws(QueueError)
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

    var deviceClock: DeviceClockReading? { get }
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64
    func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError)
    var channelLabels: [AudioChannelLabel] { get }
    func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError)

    func installTap(_ tap: QueueTap) throws(QueueError) -> QueueTapFormat
    func removeTap() throws(QueueError)
}

extension OutputQueue: EngineQueue {}
extension InputQueue: EngineQueue {}
