// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  UnmanagedPlayer.swift
//
//  A player class: `Unmanaged` in the user data, closures as C callbacks, delegate at the end.
//
//      UnmanagedPlayer FILE [VOLUME]
//
import Foundation
import AudioToolbox

protocol AudioPlayerDelegate: AnyObject {
    func playerDidFinish(_ player: AudioPlayer, successfully: Bool)
}

class AudioPlayer {
    weak var delegate: AudioPlayerDelegate?
    private var file: AudioFileID?
    private var queue: AudioQueueRef?
    private var format = AudioStreamBasicDescription()
    private var position: Int64 = 0
    private var packetsPerRead: UInt32 = 0
    private var descriptions: [AudioStreamPacketDescription] = []
    private var finishing = false
    private let lock = NSLock()

    var volume: Float = 1 {
        didSet { if let queue = queue { AudioQueueSetParameter(queue, kAudioQueueParam_Volume, volume) } }
    }

    var isPlaying: Bool {
        guard let queue = queue else { return false }
        var value = UInt32(0)
        var size = UInt32(MemoryLayout<UInt32>.stride)
        AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &value, &size)
        return value != 0
    }

    var currentTime: TimeInterval {
        guard let queue = queue else { return 0 }
        var stamp = AudioTimeStamp()
        // A new timeline at each call, as in the tutorial.
        var timeline: AudioQueueTimelineRef?
        AudioQueueCreateTimeline(queue, &timeline)
        var discontinuity = DarwinBoolean(false)
        let status = AudioQueueGetCurrentTime(queue, timeline, &stamp, &discontinuity)
        return status == noErr ? max(0, stamp.mSampleTime) / format.mSampleRate : 0
    }

    init?(contentsOf url: URL) {
        guard AudioFileOpenURL(url as CFURL, AudioFilePermissions.readPermission, 0, &file) == noErr, let file = file else {
            return nil
        }
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.stride)
        AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format)

        let selfPointer = UnsafeMutableRawPointer(Unmanaged.passUnretained(self).toOpaque())
        let status = AudioQueueNewOutput(&format, { userData, queue, buffer in
            guard let userData = userData else { return }
            Unmanaged<AudioPlayer>.fromOpaque(userData).takeUnretainedValue().fill(buffer, of: queue)
        }, selfPointer, nil, nil, 0, &queue)
        guard status == noErr, let queue = queue else { return nil }

        AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, { userData, queue, _ in
            let player = Unmanaged<AudioPlayer>.fromOpaque(userData!).takeUnretainedValue()
            if !player.isPlaying { player.delegate?.playerDidFinish(player, successfully: player.finishing) }
        }, selfPointer)

        var cookieSize: UInt32 = 0
        if AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &cookieSize, nil) == noErr, cookieSize > 0 {
            var cookie = Data(count: Int(cookieSize))
            cookie.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) -> Void in
                AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &cookieSize, bytes.baseAddress!)
                AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, bytes.baseAddress!, cookieSize)
            }
        }

        var maxPacket = UInt32()
        size = UInt32(MemoryLayout<UInt32>.stride)
        AudioFileGetProperty(file, kAudioFilePropertyMaximumPacketSize, &size, &maxPacket)
        packetsPerRead = max(1, 16_384 / maxPacket)
        descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: Int(packetsPerRead))
        for _ in 0..<3 {
            var buffer: AudioQueueBufferRef?
            AudioQueueAllocateBuffer(queue, packetsPerRead * maxPacket, &buffer)
            if let buffer = buffer { fill(buffer, of: queue) }
        }
    }

    deinit {
        if let queue = queue { AudioQueueDispose(queue, true) }
        if let file = file { AudioFileClose(file) }
    }

    private func fill(_ buffer: AudioQueueBufferRef, of queue: AudioQueueRef) {
        lock.lock()
        defer { lock.unlock() }
        var bytes = buffer.pointee.mAudioDataBytesCapacity
        var packets = packetsPerRead
        let status = AudioFileReadPacketData(file!, false, &bytes, &descriptions, position, &packets, buffer.pointee.mAudioData)
        guard packets > 0, status == noErr || status == kAudioFileEndOfFileError else {
            finishing = true
            AudioQueueStop(queue, false)
            return
        }
        position += Int64(packets)
        buffer.pointee.mAudioDataByteSize = bytes
        let isVBR = format.mBytesPerPacket == 0
        AudioQueueEnqueueBuffer(queue, buffer, isVBR ? packets : 0, isVBR ? descriptions : nil)
    }

    @discardableResult
    func play() -> Bool { AudioQueueStart(queue!, nil) == noErr }
    func pause() { lock.lock(); AudioQueuePause(queue!); lock.unlock() }
    func stop() { AudioQueueStop(queue!, true) }
}

class Listener: AudioPlayerDelegate {
    let done = DispatchSemaphore(value: 0)
    func playerDidFinish(_ player: AudioPlayer, successfully: Bool) { done.signal() }
}

guard CommandLine.arguments.count > 1,
      let player = AudioPlayer(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])) else {
    print("cannot play")
    exit(1)
}
let listener = Listener()
player.delegate = listener
if CommandLine.arguments.count > 2, let volume = Float(CommandLine.arguments[2]) { player.volume = volume }
player.play()
usleep(300_000)
player.pause()
let pausedAt = player.currentTime
usleep(200_000)
player.play()
print(String(format: "paused at %.1f s", pausedAt))
listener.done.wait()
