// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  PlanarBuffers.swift
//
//  Buffer lists by way of the Swift additions of `CoreAudio`, the only import: no sound.
//
//      PlanarBuffers
//
import CoreAudio

let channels = 3
let frames = 64
let list = AudioBufferList.allocate(maximumBuffers: channels)
var planes = (0..<channels).map { _ in UnsafeMutableBufferPointer<Float32>.allocate(capacity: frames) }
for (channel, plane) in planes.enumerated() {
    for frame in 0..<frames { plane[frame] = Float32(channel * 1000 + frame) }
    list[channel] = AudioBuffer(plane, numberOfChannels: 1)
}
list.count = channels

// Interleaves by the list's channels.
var interleaved = [Float32](repeating: 0, count: channels * frames)
for (channel, buffer) in list.enumerated() {
    let samples = UnsafeBufferPointer<Float32>(buffer)
    for (frame, sample) in samples.enumerated() { interleaved[frame * list.count + channel] = sample }
}
let bytes = list.reduce(0) { $0 + Int($1.mDataByteSize) }
let same = UnsafeMutableAudioBufferListPointer(list.unsafeMutablePointer)
print(bytes == channels * frames * MemoryLayout<Float32>.stride,
      AudioBufferList.sizeInBytes(maximumBuffers: channels), same.count, list.unsafePointer.pointee.mNumberBuffers)
print(interleaved[0..<6].map(Int.init))
let none: UnsafeMutablePointer<AudioBufferList>? = nil
print(UnsafeMutableAudioBufferListPointer(none) == nil)
planes.forEach { $0.deallocate() }
free(list.unsafeMutablePointer)
