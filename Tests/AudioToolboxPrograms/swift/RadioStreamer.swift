// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  RadioStreamer.swift
//
//  A stream from standard input or a file, a chunk at a time, as a URL session would deliver it:
//  parser, packet list, and a queue whose buffers carry their own packet descriptions.
//
//      RadioStreamer [FILE]
//
import AudioToolbox
import Foundation

final class Streamer {
    private struct Packet {
        let data: Data
        let description: AudioStreamPacketDescription
    }

    private var stream: AudioFileStreamID?
    private var queue: AudioQueueRef?
    private var format = AudioStreamBasicDescription()
    private var packets: [Packet] = []
    private var read = 0
    private var idle: [AudioQueueBufferRef] = []
    private var inputEnded = false
    private let lock = NSRecursiveLock()
    let finished = DispatchSemaphore(value: 0)

    init(hint: AudioFileTypeID = 0) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let status = AudioFileStreamOpen(context, { context, stream, property, flags in
            Unmanaged<Streamer>.fromOpaque(context).takeUnretainedValue().found(property, in: stream, flags: flags)
        }, { context, byteCount, packetCount, bytes, descriptions in
            Unmanaged<Streamer>.fromOpaque(context).takeUnretainedValue()
                .parsed(bytes, byteCount: Int(byteCount), packetCount: Int(packetCount), descriptions: descriptions)
        }, hint, &stream)
        precondition(status == noErr)
    }

    func feed(_ data: Data, discontinuous: Bool = false) -> OSStatus {
        lock.lock()
        defer { lock.unlock() }
        let flags: AudioFileStreamParseFlags = discontinuous ? .discontinuity : []
        let status = data.withUnsafeBytes { AudioFileStreamParseBytes(stream!, UInt32(data.count), $0.baseAddress, flags) }
        enqueueIdle()
        return status
    }

    func end() {
        lock.lock()
        AudioFileStreamParseBytes(stream!, 0, nil, [])
        inputEnded = true
        enqueueIdle()
        lock.unlock()
    }

    private func found(_ property: AudioFileStreamPropertyID, in stream: AudioFileStreamID,
                       flags: UnsafeMutablePointer<AudioFileStreamPropertyFlags>) {
        switch property {
        case kAudioFileStreamProperty_DataFormat:
            var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
            AudioFileStreamGetProperty(stream, property, &size, &format)
        case kAudioFileStreamProperty_ReadyToProducePackets:
            makeQueue(stream)
        case kAudioFileStreamProperty_InfoDictionary where !flags.pointee.contains(.propertyIsCached):
            flags.pointee.insert(.cacheProperty)
        default:
            break
        }
    }

    private func makeQueue(_ stream: AudioFileStreamID) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard AudioQueueNewOutput(&format, { context, _, buffer in
            let streamer = Unmanaged<Streamer>.fromOpaque(context!).takeUnretainedValue()
            streamer.lock.lock()
            streamer.idle.append(buffer)
            streamer.enqueueIdle()
            streamer.lock.unlock()
        }, context, nil, nil, 0, &queue) == noErr, let queue = queue else { return }

        AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, { context, queue, _ in
            var running: UInt32 = 0
            var size = UInt32(MemoryLayout<UInt32>.size)
            AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size)
            if running == 0 { Unmanaged<Streamer>.fromOpaque(context!).takeUnretainedValue().finished.signal() }
        }, context)

        var cookieSize: UInt32 = 0
        var writable: DarwinBoolean = false
        if AudioFileStreamGetPropertyInfo(stream, kAudioFileStreamProperty_MagicCookieData, &cookieSize, &writable) == noErr,
           cookieSize > 0 {
            let cookie = malloc(Int(cookieSize))!
            AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_MagicCookieData, &cookieSize, cookie)
            AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize)
            free(cookie)
        }
        for _ in 0..<6 {
            var buffer: AudioQueueBufferRef?
            AudioQueueAllocateBufferWithPacketDescriptions(queue, 16 * 1024, 128, &buffer)
            idle.append(buffer!)
        }
        AudioQueueStart(queue, nil)
    }

    private func parsed(_ bytes: UnsafeRawPointer, byteCount: Int, packetCount: Int,
                        descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?) {
        if let descriptions = descriptions {
            for i in 0..<packetCount {
                let size = Int(descriptions[i].mDataByteSize)
                packets.append(Packet(data: Data(bytes: bytes + Int(descriptions[i].mStartOffset), count: size),
                                      description: descriptions[i]))
            }
        } else {
            let size = Int(format.mBytesPerPacket)
            for i in 0..<packetCount {
                let description = AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
                packets.append(Packet(data: Data(bytes: bytes + i * size, count: size), description: description))
            }
        }
    }

    private func enqueueIdle() {
        guard let queue = queue else { return }
        while read < packets.count, let buffer = idle.first {
            var bytes = 0
            var count = 0
            while read < packets.count, count < Int(buffer.pointee.mPacketDescriptionCapacity),
                  bytes + packets[read].data.count <= Int(buffer.pointee.mAudioDataBytesCapacity) {
                let packet = packets[read]
                packet.data.copyBytes(to: (buffer.pointee.mAudioData + bytes).assumingMemoryBound(to: UInt8.self), count: packet.data.count)
                buffer.pointee.mPacketDescriptions![count] = packet.description
                buffer.pointee.mPacketDescriptions![count].mStartOffset = Int64(bytes)
                bytes += packet.data.count
                count += 1
                read += 1
            }
            guard count > 0 else { read += 1; continue }        // larger than any buffer
            idle.removeFirst()
            buffer.pointee.mAudioDataByteSize = UInt32(bytes)
            buffer.pointee.mPacketDescriptionCount = UInt32(count)
            AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
        }
        if inputEnded && read == packets.count {
            AudioQueueFlush(queue)
            AudioQueueStop(queue, false)
        }
    }

    var hasQueue: Bool { queue != nil }

    deinit {
        if let stream = stream { AudioFileStreamClose(stream) }
        if let queue = queue { AudioQueueDispose(queue, true) }
    }
}

guard let input = CommandLine.arguments.count > 1
    ? FileHandle(forReadingAtPath: CommandLine.arguments[1]) : FileHandle.standardInput else {
    print("no such file")
    exit(1)
}
let streamer = Streamer()
while case let data = input.readData(ofLength: 4096), !data.isEmpty {
    let status = streamer.feed(data)
    if status != noErr {
        print("cannot parse: \(status)")
        exit(1)
    }
}
guard streamer.hasQueue else {
    print("nothing to play")
    exit(1)
}
streamer.end()
streamer.finished.wait()
