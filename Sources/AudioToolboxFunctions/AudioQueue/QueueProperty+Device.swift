// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AudioQueues
import CAudioToolbox
import CoreAudioTypes
import CoreFoundation

/// The device, and what each channel is for.
extension QueueProperty {
    static let device: [AudioQueuePropertyID: QueueProperty] = [
        kAudioQueueDeviceProperty_SampleRate: .value(notice: .device) {
            (object: AudioQueueObject) throws(QueueError) -> Float64 in try object.deviceFacts().sampleRate
        },
        kAudioQueueDeviceProperty_NumberChannels: .value(notice: .device) {
            (object: AudioQueueObject) throws(QueueError) -> UInt32 in
            UInt32(clamping: try object.deviceFacts().channels)
        },
        kAudioQueueProperty_CurrentDevice: QueueProperty(
            notice: .device, bytes: { _ in MemoryLayout<UInt>.size },
            read: { (object: AudioQueueObject, reply: PropertyReply) throws(QueueError) -> OSStatus in
                let name = try object.deviceFacts().name
                return reply.object({ makeCFString(name) }, tooSmall: kAudioQueueErr_InvalidPropertySize)
            },
            write: { (object: AudioQueueObject, data: UnsafeRawBufferPointer) throws(QueueError) in
                // COMPAT: the characters are copied, since programs release the string at once.
                let address: UInt = try unsafe value(in: data)
                try object.setDevice(named: unsafe deviceName(at: address))
            }),
        kAudioQueueProperty_ChannelLayout: QueueProperty(
            bytes: { object in ChannelLayout(labels: object.engine.channelLabels).queuePropertyBytes.count },
            read: { (object: AudioQueueObject, reply: PropertyReply) throws(QueueError) -> OSStatus in
                reply.bytes(
                    ChannelLayout(labels: object.engine.channelLabels).queuePropertyBytes,
                    tooSmall: kAudioQueueErr_InvalidPropertySize)
            },
            write: { (object: AudioQueueObject, data: UnsafeRawBufferPointer) throws(QueueError) in
                try object.engine.setChannelLabels(unsafe channelLabels(in: data, of: object.format))
            }),
        kAudioQueueProperty_ChannelAssignments: QueueProperty(
            bytes: { object in
                Int(object.format.mChannelsPerFrame) * MemoryLayout<AudioQueueChannelAssignment>.stride
            },
            read: nil,
            write: { (object: AudioQueueObject, data: UnsafeRawBufferPointer) throws(QueueError) in
                try object.engine.setChannelAssignments(unsafe assignments(in: data, of: object.format))
            }),
    ]

    /// The characters of a string that a client refers to; nil for NULL.
    private static func deviceName(at address: UInt) throws(QueueError) -> String? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        // SAFETY: the client vouches for a string there, for as long as its call lasts.
        let string = unsafe Unmanaged<CFString>.fromOpaque(pointer).takeUnretainedValue()
        guard let name = makeString(string) else {
            throw QueueError(.invalidPropertyValue, "cannot read the name of a device: it is no text")
        }
        return name
    }

    /// What a client says that each channel is for.
    static func channelLabels(
        in data: UnsafeRawBufferPointer, of format: AudioStreamBasicDescription
    ) throws(QueueError) -> [AudioChannelLabel] {
        let layout: ChannelLayout
        do throws(ChannelLayoutError) {
            layout = try unsafe ChannelLayout(copying: data)
        } catch {
            throw QueueError(
                error.code == .truncated ? .invalidPropertySize : .invalidPropertyValue, error.message)
        }
        guard layout.channels == Int(format.mChannelsPerFrame) else {
            throw QueueError(
                .invalidPropertyValue,
                "cannot set a layout of \(layout.channels) channels for \(format.mChannelsPerFrame)")
        }
        return layout.labels
    }

    private static func assignments(
        in data: UnsafeRawBufferPointer, of format: AudioStreamBasicDescription
    ) throws(QueueError) -> [ChannelAssignment] {
        let stride = MemoryLayout<AudioQueueChannelAssignment>.stride
        guard unsafe data.count == Int(format.mChannelsPerFrame) * stride else {
            throw QueueError(
                .invalidPropertySize,
                "cannot assign \(format.mChannelsPerFrame) channels by \(unsafe data.count) bytes")
        }
        let numberOffset = MemoryLayout<AudioQueueChannelAssignment>.offset(of: \.mChannelNumber) ?? 8
        var assignments: [ChannelAssignment] = []
        for start in unsafe Swift.stride(from: 0, to: data.count, by: stride) {
            // SAFETY: inside the data, of which there are whole assignments.
            let address = unsafe data.loadUnaligned(fromByteOffset: start, as: UInt.self)
            let number = unsafe data.loadUnaligned(fromByteOffset: start + numberOffset, as: UInt32.self)
            guard let name = try deviceName(at: address), number > 0 else {
                throw QueueError(.invalidPropertyValue, "cannot assign a channel to channel \(number) of a device")
            }
            assignments.append(ChannelAssignment(deviceName: name, channelNumber: number))
        }
        return assignments
    }
}

extension ChannelLayout {
    /// An `AudioChannelLayout`: by tag if one names the order, else by a description of each channel.
    ///
    /// As large as the struct at least, which has room for one description: programs read it as a whole.
    var queuePropertyBytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: UInt32) {
            for shift in 0..<UInt32(4) {
                let place = AudioStreamBasicDescription.isNativeBigEndian ? 3 - shift : shift
                bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8)))
            }
        }
        append(tag)
        append(0)
        let isDescribed = tag == kAudioChannelLayoutTag_UseChannelDescriptions
        append(isDescribed ? UInt32(clamping: channels) : 0)
        if isDescribed {
            for (index, label) in labels.enumerated() {
                append(label)
                append(index < descriptions.count ? descriptions[index].flags : 0)
                let place = index < descriptions.count ? descriptions[index].coordinates : .zero
                for coordinate in [place.x, place.y, place.z] { append(coordinate.bitPattern) }
            }
        }
        let missing = MemoryLayout<AudioChannelLayout>.size - bytes.count
        if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
        return bytes
    }
}

/// Makes a string of CoreFoundation's; nil without memory.
private func makeCFString(_ text: String) -> CFString? {
    unsafe text.withCString { characters in
        unsafe CFStringCreateWithCString(
            kCFAllocatorDefault, characters, CFStringBuiltInEncodings.UTF8.rawValue)
    }
}

/// Copies the characters of a string of CoreFoundation's; nil if they are no text.
private func makeString(_ string: CFString) -> String? {
    let encoding = CFStringBuiltInEncodings.UTF8.rawValue
    let capacity = CFStringGetMaximumSizeForEncoding(CFStringGetLength(string), encoding) + 1
    guard capacity > 0 else { return nil }
    var characters = [CChar](repeating: 0, count: capacity)
    let isText = unsafe characters.withUnsafeMutableBufferPointer { buffer in
        unsafe CFStringGetCString(string, buffer.baseAddress, buffer.count, encoding)
    }
    guard isText else { return nil }
    return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
