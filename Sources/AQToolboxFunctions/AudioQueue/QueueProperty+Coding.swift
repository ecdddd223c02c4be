// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox
import CoreAudioTypes

/// The properties of formats, cookies, packets, decoders and encoders.
///
/// COMPAT: recorders read properties of a queue's converter from the queue, by the converter's identifiers.
extension QueueProperty {
    static let coding: [AudioQueuePropertyID: QueueProperty] = [
        kAudioQueueProperty_StreamDescription: streamDescription,
        // COMPAT: recorders complete the format of their file by either of these.
        kAudioConverterCurrentInputStreamDescription: streamDescription,
        kAudioConverterCurrentOutputStreamDescription: streamDescription,
        kAudioQueueProperty_MagicCookie: magicCookie,
        kAudioConverterCompressionMagicCookie: magicCookie,
        kAudioConverterDecompressionMagicCookie: QueueProperty(
            .outputs, bytes: magicCookie.byteCount, read: nil, write: magicCookie.write),
        // The converter's property for the largest packet has the same identifier.
        kAudioQueueProperty_MaximumOutputPacketSize: .value {
            (object: AudioQueueObject) throws(QueueError) -> UInt32 in
            if case .input(let queue) = object.direction {
                return UInt32(clamping: queue.maximumOutputPacketSize)
            }
            guard object.format.mBytesPerPacket > 0 else { throw QueueError(.invalidProperty) }
            return object.format.mBytesPerPacket
        },
        kAudioConverterPrimeInfo: .value(.inputs) {
            (object: AudioQueueObject) throws(QueueError) -> AudioConverterPrimeInfo in
            let queue = try object.input()
            return AudioConverterPrimeInfo(
                leadingFrames: UInt32(clamping: queue.primingFrames),
                trailingFrames: UInt32(clamping: queue.remainderFrames))
        },
        kAudioQueueProperty_DecodeBufferSizeFrames: .value(
            .outputs,
            read: { (object: AudioQueueObject) throws(QueueError) -> UInt32 in
                UInt32(clamping: try object.output().decodeAheadFrames)
            },
            write: { (object: AudioQueueObject, frames: UInt32) throws(QueueError) in
                guard frames > 0 else { throw QueueError(.invalidPropertyValue) }
                try object.output().setDecodeAhead(frames: Int(frames))
            }),
        kAudioQueueProperty_ConverterError: .value(event: .converterError) { object in
            UInt32(bitPattern: object.engine.converterError?.code.status ?? noErr)
        },
        kAudioQueueProperty_HardwareCodecPolicy: .value(
            read: { object in object.settings.withLock { $0.hardwareCodecPolicy } },
            write: { (object: AudioQueueObject, policy: UInt32) throws(QueueError) in
                try setHardwareCodecPolicy(policy, of: object)
            }),
    ]

    private static let streamDescription = QueueProperty.value { object in object.format }

    private static let magicCookie = QueueProperty(
        read: { (object: AudioQueueObject) throws(QueueError) -> PropertyAnswer in
            .bytes(try cookie(of: object))
        },
        write: { (object: AudioQueueObject, data: PropertyData) throws(QueueError) in
            try object.output().setMagicCookie(unsafe Array(data.bytes))
        })

    /// The magic cookie of a queue.
    ///
    /// COMPAT: published recorders expect an error for a format without a cookie.
    private static func cookie(of object: AudioQueueObject) throws(QueueError) -> [UInt8] {
        guard !object.format.isLinearPCM else { throw QueueError(.invalidProperty) }
        return object.engine.magicCookie
    }

    /// Sets the policy. There are no hardware codecs here: a policy that requires them fails unless the format
    /// is linear PCM, and all other policies are equivalent.
    private static func setHardwareCodecPolicy(
        _ policy: UInt32, of object: AudioQueueObject
    ) throws(QueueError) {
        guard policy <= kAudioQueueHardwareCodecPolicy_PreferHardware else {
            throw QueueError(.invalidPropertyValue)
        }
        guard policy != kAudioQueueHardwareCodecPolicy_UseHardwareOnly || object.format.isLinearPCM else {
            throw QueueError(.codecNotFound)
        }
        object.settings.withLock { $0.hardwareCodecPolicy = policy }
    }
}
