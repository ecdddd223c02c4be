// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes
import Glibc

/// The buffers for a client's input procedure, with memory that the procedure may fill or replace.
///
/// COMPAT: some procedures point the buffers at their own memory, others copy into the memory that they find,
/// so there has to be memory.
@safe final class ClientInput {
    /// A call of the procedure: the number of packets, which the procedure changes; the buffers; and for packets
    /// that differ in size a pointer to their descriptions.
    typealias Procedure = (
        _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus

    private let format: AudioStreamBasicDescription
    private let bufferCount: Int
    /// The size of a packet in one buffer, in bytes; the usual maximum if packets differ in size.
    private let packetBytes: Int
    // SAFETY: owned, and freed by deinit. The converter reads from the memory until its next request, and
    // only then is it replaced.
    private let list: UnsafeMutableAudioBufferListPointer
    private var memory: UnsafeMutableRawBufferPointer

    /// The limit of the memory for a request, in bytes: more packets are requested in parts. If not even one packet
    /// fits, the buffers are empty, and the client has to provide memory.
    private static let mostBytes = 8 << 20

    init(format: AudioStreamBasicDescription, packetBytes: Int) {
        self.format = format
        self.packetBytes = max(packetBytes, 1)
        bufferCount = format.isInterleaved ? 1 : max(Int(format.mChannelsPerFrame), 1)
        unsafe list = AudioBufferList.allocate(maximumBuffers: bufferCount)
        unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    deinit {
        unsafe free(list.unsafeMutablePointer)
        unsafe memory.deallocate()
    }

    /// Requests packets.
    ///
    /// - Parameter status: Set to the procedure's result; `kAudioConverterErr_InvalidInputSize` if the
    ///   procedure left fewer buffers than the format has.
    @unsafe
    func ask(
        for packetsWanted: Int, status: inout OSStatus, _ procedure: Procedure
    ) -> AudioConverter.Supply {
        // The remaining packets are requested by the next call.
        let packetsAsked = min(packetsWanted, max(Self.mostBytes / bufferCount / packetBytes, 1))
        prepare(packets: packetsAsked)
        var packets = UInt32(clamping: packetsAsked)
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        if format.hasConstantPacketSize {
            status = unsafe procedure(&packets, list.unsafeMutablePointer, nil)
        } else {
            status = unsafe procedure(&packets, list.unsafeMutablePointer, &descriptions)
        }
        guard status == noErr else { return unsafe .noDataNow }
        guard packets > 0 else { return unsafe .endOfStream }
        guard unsafe list.count >= bufferCount else {
            status = kAudioConverterErr_InvalidInputSize
            return unsafe .noDataNow
        }
        let count = packetsHeld(atMost: Int(packets))
        guard count > 0 else { return unsafe .endOfStream }
        if bufferCount > 1 { return unsafe .buffers(list, frames: count) }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: list[0].mData, count: list[0].mData == nil ? 0 : Int(list[0].mDataByteSize))
        let packetDescriptions = unsafe descriptions.map {
            unsafe UnsafeBufferPointer(start: UnsafePointer($0), count: count)
        }
        return unsafe .packets(bytes, descriptions: packetDescriptions, packetCount: count)
    }

    /// Provides memory for this many packets, up to the limit of a request.
    private func prepare(packets: Int) {
        let (perBuffer, overflow) = packets.multipliedReportingOverflow(by: packetBytes)
        let isOwn = !overflow && perBuffer <= Self.mostBytes / bufferCount
        let bytes = isOwn ? perBuffer : 0
        if unsafe memory.count < bytes * bufferCount {
            unsafe memory.deallocate()
            unsafe memory = .allocate(byteCount: bytes * bufferCount, alignment: 64)
            // Bytes that a client counts but does not fill are silence rather than old data.
            unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        }
        unsafe list.count = bufferCount
        let channels = bufferCount > 1 ? 1 : format.mChannelsPerFrame
        for index in 0..<bufferCount {
            unsafe list[index] = AudioBuffer(
                mNumberChannels: channels, mDataByteSize: UInt32(bytes),
                mData: isOwn ? memory.baseAddress.map { unsafe $0 + index * bytes } : nil)
        }
    }

    /// The number of packets in the buffers. Descriptions give the sizes of packets that differ in size.
    ///
    /// COMPAT: at the end of their audio many procedures return fewer bytes, or none, and leave the number of
    /// packets unchanged.
    private func packetsHeld(atMost packets: Int) -> Int {
        guard format.hasConstantPacketSize else {
            return unsafe list[0].mData == nil || list[0].mDataByteSize == 0 ? 0 : packets
        }
        var held = packets
        for index in 0..<bufferCount {
            let buffer = unsafe list[index]
            let bytes = unsafe buffer.mData == nil ? 0 : Int(buffer.mDataByteSize)
            held = min(held, bytes / Int(format.mBytesPerPacket))
        }
        return held
    }
}
