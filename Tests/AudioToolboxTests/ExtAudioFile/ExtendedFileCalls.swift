// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation
import Glibc

@testable import AQToolboxFunctions

/// An extended audio file as C programs use it, with the calls of tests.
@safe final class ExtendedFileCalls {
    // SAFETY: a key; disposed of by deinit, a second time without effect.
    let handle: ExtAudioFileRef?
    /// The result of the function that made it.
    let status: OSStatus

    init(reading path: String) {
        var made: ExtAudioFileRef?
        status = unsafe extAudioFileOpenURL(url(of: path), &made)
        unsafe handle = made
    }

    init(
        writing path: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
        layoutTag: AudioChannelLayoutTag? = nil
    ) {
        var made: ExtAudioFileRef?
        var format = format
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = layoutTag ?? 0
        if layoutTag == nil {
            status = unsafe extAudioFileCreateWithURL(url(of: path), type, &format, nil, 1, &made)
        } else {
            status = unsafe extAudioFileCreateWithURL(url(of: path), type, &format, &layout, 1, &made)
        }
        unsafe handle = made
    }

    init(wrapping file: AudioFileID?, isForWriting: Bool) {
        var made: ExtAudioFileRef?
        status = unsafe extAudioFileWrapAudioFileID(file, isForWriting, &made)
        unsafe handle = made
    }

    deinit { unsafe _ = extAudioFileDispose(handle) }

    func dispose() -> OSStatus { unsafe extAudioFileDispose(handle) }

    func set<Value: BitwiseCopyable>(_ property: ExtAudioFilePropertyID, _ value: Value) -> OSStatus {
        unsafe withUnsafeBytes(of: value) { bytes in
            unsafe extAudioFileSetProperty(handle, property, UInt32(bytes.count), bytes.baseAddress)
        }
    }

    func get(_ property: ExtAudioFilePropertyID) -> (status: OSStatus, bytes: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: 1024)
        var size = UInt32(bytes.count)
        let status = unsafe bytes.withUnsafeMutableBytes {
            unsafe extAudioFileGetProperty(handle, property, &size, $0.baseAddress)
        }
        return (status, status == noErr ? Array(bytes.prefix(Int(size))) : [])
    }

    /// The file's frames, by its property; nil if they are unknown.
    var length: Int64? { samples(Int64.self, get(kExtAudioFileProperty_FileLengthFrames).bytes).first }

    var position: Int64? {
        var frame: Int64 = -1
        return unsafe extAudioFileTell(handle, &frame) == noErr ? frame : nil
    }

    func seek(_ frame: Int64) -> OSStatus { unsafe extAudioFileSeek(handle, frame) }

    /// Writes one buffer of interleaved samples, directly or by the thread.
    func write<Sample: BitwiseCopyable>(
        _ sound: [Sample], channels: Int = 1, isAsync: Bool = false
    ) -> OSStatus {
        var sound = sound
        return unsafe sound.withUnsafeMutableBufferPointer { sound in
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(sound, numberOfChannels: channels))
            let frames = UInt32(sound.count / channels)
            return isAsync
                ? unsafe extAudioFileWriteAsync(handle, frames, &list)
                : unsafe extAudioFileWrite(handle, frames, &list)
        }
    }

    func primeAsync() -> OSStatus { unsafe extAudioFileWriteAsync(handle, 0, nil) }

    /// Reads frames of one channel.
    func read<Sample: BitwiseCopyable>(
        _ frames: Int, of zero: Sample
    ) -> (status: OSStatus, samples: [Sample]) {
        var sound = [Sample](repeating: zero, count: max(frames, 1))
        var count = UInt32(frames)
        let status = unsafe sound.withUnsafeMutableBufferPointer { sound in
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(sound, numberOfChannels: 1))
            return unsafe extAudioFileRead(handle, &count, &list)
        }
        return (status, Array(sound.prefix(Int(count))))
    }

    /// Reads to the end, a block at a time.
    func readAll<Sample: BitwiseCopyable>(of zero: Sample, block: Int = 700) -> [Sample] {
        var all: [Sample] = []
        while true {
            let next = read(block, of: zero)
            guard next.status == noErr, !next.samples.isEmpty else { return all }
            all += next.samples
        }
    }
}

func url(of path: String) -> CFURL? {
    let bytes = Array(path.utf8)
    return unsafe CFURLCreateFromFileSystemRepresentation(nil, bytes, bytes.count, false)
}
