// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation

/// The properties of the device, and of the use of channels.
extension QueueProperty {
    static let device: [AudioQueuePropertyID: QueueProperty] = [
        kAudioQueueDeviceProperty_SampleRate: .value(event: .device) {
            (object: AudioQueueObject) throws(QueueError) -> Float64 in try object.deviceFacts().sampleRate
        },
        kAudioQueueDeviceProperty_NumberChannels: .value(event: .device) {
            (object: AudioQueueObject) throws(QueueError) -> UInt32 in
            UInt32(clamping: try object.deviceFacts().channels)
        },
        kAudioQueueProperty_CurrentDevice: QueueProperty(
            event: .device, bytes: { _ in MemoryLayout<UInt>.size },
            read: { (object: AudioQueueObject) throws(QueueError) -> PropertyAnswer in
                .text(try object.deviceFacts().name)
            },
            write: { (object: AudioQueueObject, data: PropertyData) throws(QueueError) in
                // COMPAT: the characters are copied, since programs release the string at once.
                let address: UInt = try data.value()
                try object.setDevice(named: deviceName(at: address))
            }),
        kAudioQueueProperty_ChannelLayout: QueueProperty(
            read: { object in .bytes(ChannelLayout(labels: object.engine.channelLabels).publishedBytes) },
            write: { (object: AudioQueueObject, data: PropertyData) throws(QueueError) in
                let labels = try channelLabels(of: object.format) {
                    () throws(ChannelLayoutError) -> [AudioChannelLabel] in
                    try unsafe ChannelLayout(copying: data.bytes).labels
                }
                try object.engine.setChannelLabels(labels)
            }),
        kAudioQueueProperty_ChannelAssignments: QueueProperty(
            bytes: { object in
                unsafe Int(object.format.mChannelsPerFrame)
                    * MemoryLayout<AudioQueueChannelAssignment>.stride
            },
            read: nil,
            write: { (object: AudioQueueObject, data: PropertyData) throws(QueueError) in
                let wanted = try unsafe assignments(in: data.bytes, of: object.format)
                let before = object.settings.withLock { $0.deviceName }
                try object.useDevice(of: wanted)
                do throws(QueueError) {
                    try object.engine.setChannelAssignments(wanted)
                } catch {
                    // The previous device is restored. If this device has disappeared, the queue keeps the new one.
                    do throws(QueueError) { try object.setDevice(named: before) } catch {}
                    throw error
                }
            }),
    ]

    /// The text of a client's string; nil for NULL.
    private static func deviceName(at address: UInt) throws(QueueError) -> String? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        // SAFETY: the client guarantees a string at the address, during its call.
        let string = unsafe Unmanaged<CFString>.fromOpaque(pointer).takeUnretainedValue()
        guard let name = HardwareText.read(string) else { throw QueueError(.invalidDevice) }
        return name
    }

    /// The use of each channel in a client's layout.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertySize`` for a truncated layout,
    ///   ``QueueError/Code/invalidPropertyValue`` for a layout with another number of channels or an unknown
    ///   tag.
    static func channelLabels(
        of format: AudioStreamBasicDescription,
        from read: () throws(ChannelLayoutError) -> [AudioChannelLabel]
    ) throws(QueueError) -> [AudioChannelLabel] {
        let labels: [AudioChannelLabel]
        do throws(ChannelLayoutError) {
            labels = try read()
        } catch {
            throw QueueError(error.code == .truncated ? .invalidPropertySize : .invalidPropertyValue)
        }
        guard labels.count == Int(format.mChannelsPerFrame) else { throw QueueError(.invalidPropertyValue) }
        return labels
    }

    private static func assignments(
        in data: UnsafeRawBufferPointer, of format: AudioStreamBasicDescription
    ) throws(QueueError) -> [ChannelAssignment] {
        let stride = unsafe MemoryLayout<AudioQueueChannelAssignment>.stride
        guard data.count == Int(format.mChannelsPerFrame) * stride else {
            throw QueueError(.invalidPropertySize)
        }
        let numberOffset = unsafe MemoryLayout<AudioQueueChannelAssignment>.offset(of: \.mChannelNumber) ?? 8
        var assignments: [ChannelAssignment] = []
        for start in Swift.stride(from: 0, to: data.count, by: stride) {
            // SAFETY: inside the data, which consists of whole assignments.
            let address = unsafe data.loadUnaligned(fromByteOffset: start, as: UInt.self)
            let number = unsafe data.loadUnaligned(fromByteOffset: start + numberOffset, as: UInt32.self)
            guard let name = try deviceName(at: address), number > 0 else {
                throw QueueError(.invalidPropertyValue)
            }
            assignments.append(ChannelAssignment(deviceName: name, channelNumber: number))
        }
        return assignments
    }
}
