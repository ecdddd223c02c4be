// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

@testable import AQToolboxFunctions

/// A converter as C programs use it, with the calls of tests.
@safe final class ConverterCalls {
    // SAFETY: a key; disposed of by deinit, a second time without effect.
    let handle: AudioConverterRef?
    /// The result of `AudioConverterNew`.
    let status: OSStatus
    private let packetBytes: Int

    init(from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription) {
        var (source, destination) = (source, destination)
        var made: AudioConverterRef?
        status = unsafe audioConverterNew(&source, &destination, &made)
        unsafe handle = made
        packetBytes = max(Int(destination.mBytesPerPacket), 1)
    }

    deinit { unsafe _ = audioConverterDispose(handle) }

    /// Fills one buffer.
    ///
    /// - Parameter bytes: Room; nil for as much as the packets have.
    func fill(
        packets: Int, bytes: Int? = nil, isDescribed: Bool = false, from giver: BlockGiver
    ) -> (status: OSStatus, packets: Int, bytes: [UInt8], sizes: [Int]) {
        var output = [UInt8](repeating: 0xEE, count: bytes ?? packets * packetBytes)
        var places = [AudioStreamPacketDescription](
            repeating: AudioStreamPacketDescription(), count: max(packets, 1))
        var count = UInt32(packets)
        var status = noErr
        var written = 0
        unsafe output.withUnsafeMutableBytes { memory in
            unsafe places.withUnsafeMutableBufferPointer { places in
                var list = unsafe AudioBufferList(
                    mNumberBuffers: 1,
                    mBuffers: AudioBuffer(
                        mNumberChannels: 1, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress))
                status = unsafe audioConverterFillComplexBuffer(
                    handle, giveBlock, giver.context, &count, &list, isDescribed ? places.baseAddress : nil)
                written = unsafe Int(list.mBuffers.mDataByteSize)
            }
        }
        return (
            status, Int(count), Array(output.prefix(written)),
            places.prefix(Int(count)).map { Int($0.mDataByteSize) }
        )
    }

    func set<Value: BitwiseCopyable>(_ property: AudioConverterPropertyID, _ value: Value) -> OSStatus {
        unsafe withUnsafeBytes(of: value) { bytes in
            unsafe audioConverterSetProperty(handle, property, UInt32(bytes.count), bytes.baseAddress)
        }
    }

    func set(_ property: AudioConverterPropertyID, list: [Int32]) -> OSStatus {
        unsafe list.withUnsafeBytes { bytes in
            unsafe audioConverterSetProperty(handle, property, UInt32(bytes.count), bytes.baseAddress)
        }
    }

    func set(_ property: AudioConverterPropertyID, bytes: [UInt8]) -> OSStatus {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe audioConverterSetProperty(handle, property, UInt32(bytes.count), bytes.baseAddress)
        }
    }

    /// A property's value in `room` bytes.
    func get(_ property: AudioConverterPropertyID, room: Int = 4096) -> (status: OSStatus, bytes: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: room)
        var size = UInt32(room)
        let status = unsafe bytes.withUnsafeMutableBytes {
            unsafe audioConverterGetProperty(handle, property, &size, $0.baseAddress)
        }
        return (status, status == noErr ? Array(bytes.prefix(Int(size))) : [])
    }

    func number(_ property: AudioConverterPropertyID) -> UInt32? {
        let bytes = get(property, room: 4).bytes
        guard bytes.count == 4 else { return nil }
        return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
    }

    func info(_ property: AudioConverterPropertyID) -> (status: OSStatus, bytes: Int, isWritable: Bool) {
        var size: UInt32 = 0
        var isWritable = false
        let status = unsafe audioConverterGetPropertyInfo(handle, property, &size, &isWritable)
        return (status, Int(size), isWritable)
    }
}

/// The bytes of samples.
func bytes<Sample: BitwiseCopyable>(_ samples: [Sample]) -> [UInt8] {
    unsafe samples.withUnsafeBytes { unsafe Array($0) }
}

func samples<Sample: BitwiseCopyable>(_ type: Sample.Type, _ bytes: [UInt8]) -> [Sample] {
    unsafe bytes.withUnsafeBytes { memory in
        (0..<memory.count / MemoryLayout<Sample>.stride).map {
            unsafe memory.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Sample>.stride, as: type)
        }
    }
}

/// The first index at which samples differ, or the shorter length; nil if they are equal. Printing long arrays would
/// take minutes.
func firstDifference<Sample: Equatable>(
    _ some: some Collection<Sample>, _ others: some Collection<Sample>
) -> Int? {
    zip(some, others).enumerated().first { $1.0 != $1.1 }?.offset
        ?? (some.count == others.count ? nil : min(some.count, others.count))
}

func floats(channels: Int = 1, rate: Double = 48_000) -> AudioStreamBasicDescription {
    .float(channels: channels, sampleRate: rate)
}

func shorts(channels: Int = 1, rate: Double = 48_000) -> AudioStreamBasicDescription {
    .signedInteger(bits: 16, channels: channels, sampleRate: rate)
}
