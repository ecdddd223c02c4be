import AudioCodecs
import AudioDevices
import CoreAudioTypes

/// The way of sound from a device to a queue.
///
/// Device, channels and tap change only while the queue is stopped, and change the same things: so a path is made
/// whole and replaced whole, and cannot be half changed. A stopped device has no memory of the queue's, since it has
/// returned every segment before its `.stopped`: an old path's stream is closed and forgotten, and the thread that
/// took its notices takes those of the new one.
final class InputPath: @unchecked Sendable {
    // SAFETY: constant, but for what `maker` and `tap` hold, which belongs to the thread that makes packets.

    /// What decides how a path is made.
    struct Plan {
        var device: any InputDevice
        var channelLabels: [AudioChannelLabel]
        /// The device's channel for each of the format's, counted from 1; nil leaves that to labels.
        var channelNumbers: [Int]?
        var tap: QueueTap?
    }

    let plan: Plan
    /// What the device captures.
    let deviceFormat: SampleFormat
    /// Makes packets of what is captured; nil where the device fills the client's buffers.
    let maker: PacketMaker?
    /// What captured sound passes before it gets to ``maker``.
    let tap: CaptureTapStage?
    let stream: any InputStream
    let feed: StreamFeed

    /// - Parameter old: The path to be replaced. Its maker and tap are kept unless there is to be another tap: sound of
    ///   the recording before may still be on its way through them.
    /// - Throws: What the device says against the format.
    init(
        _ plan: Plan, for product: InputProduct, configuration: InputQueue.Configuration,
        replacing old: InputPath? = nil
    ) throws(QueueError) {
        if let old, old.plan.tap === plan.tap {
            maker = old.maker
            tap = old.tap
        } else if let client = plan.tap {
            let maker: PacketMaker
            if let encoding = product.maker {
                maker = encoding
            } else {
                maker = try product.makeTappedMaker()
            }
            self.maker = maker
            tap = try CaptureTapStage(client, before: maker)
        } else {
            maker = product.maker
            tap = nil
        }
        if plan.tap == nil {
            deviceFormat = try product.captured(channelLabels: plan.channelLabels)
        } else {
            deviceFormat = product.tapped(channelLabels: plan.channelLabels)
        }
        self.plan = plan
        var wanted = InputStreamConfiguration(
            format: deviceFormat, heldSeconds: configuration.heldSeconds,
            recoverySeconds: configuration.recoverySeconds, streamName: configuration.name,
            role: configuration.role, iconName: configuration.iconName)
        wanted.channelNumbers = plan.channelNumbers
        do throws(DeviceError) {
            stream = try plan.device.makeStream(wanted)
        } catch {
            throw QueueError(error)
        }
        feed = stream.feed
    }
}
