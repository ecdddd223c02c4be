// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// The path of audio from a device to a queue.
///
/// Device, channels and tap change only while the queue is stopped, and affect the same parts. Therefore a path is
/// always created and replaced as a whole. A stopped device holds no memory of the queue, because it has returned
/// every segment before its `.stopped`. An old path's stream is closed and released, and the thread that took its
/// events takes those of the new stream.
final class InputPath: @unchecked Sendable {
    // SAFETY: constant, except for the state of `maker` and `tap`, which belong to the thread that makes packets.

    struct Plan {
        var device: any InputDevice
        var channelLabels: [AudioChannelLabel]
        /// The device's channel for each channel of the format, counted from 1; nil for a choice by labels.
        var channelNumbers: [Int]?
        var tap: QueueTap?
    }

    let plan: Plan
    let deviceFormat: SampleFormat
    /// The maker of packets from captured audio; nil if the device fills the client's buffers.
    let maker: PacketMaker?
    /// The tap that captured audio passes before ``maker``.
    let tap: CaptureTapStage?
    let stream: any InputStream
    let feed: StreamFeed

    /// - Parameter old: The path to replace. If the tap does not change, the new path keeps the old maker and tap,
    ///   because they may still process audio of the previous recording.
    /// - Throws: The device's errors for the format.
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
