import AudioCodecs
import CAudioToolbox
import CoreAudioTypes
import Glibc

/// The buffers that a client's input procedure is shown, with memory in them that it may fill, or replace by its
/// own.
///
/// COMPAT: both kinds of procedure are about, those that point the buffers at their own memory and those that
/// copy into what is there, so that there is memory.
@safe final class ClientInput {
    /// Calls the procedure: with the packets wanted, which it changes; the buffers; and, for packets that differ
    /// in size, where it points at their descriptions.
    typealias Procedure = (
        _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus

    private let format: AudioStreamBasicDescription
    private let bufferCount: Int
    /// Of one buffer; the most that one usually has if packets differ in size.
    private let packetBytes: Int
    // SAFETY: owned, and freed by deinit. The converter reads out of the memory until it asks again, and only
    // then is it replaced.
    private let list: UnsafeMutableAudioBufferListPointer
    private var memory: UnsafeMutableRawBufferPointer

    /// More is not set aside for a request: fewer packets are asked for. Where not even one fits, the buffers are
    /// empty, for the client to point elsewhere.
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

    /// Asks for packets.
    ///
    /// - Parameter status: Receives what the procedure returned; `kAudioConverterErr_InvalidInputSize` if it left fewer
    ///   buffers than the format has.
    @unsafe
    func ask(
        for packetsWanted: Int, status: inout OSStatus, _ procedure: Procedure
    ) -> AudioConverter.Supply {
        // What is missing is asked for next.
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
        let places = unsafe descriptions.map {
            unsafe UnsafeBufferPointer(start: UnsafePointer($0), count: count)
        }
        return unsafe .packets(bytes, descriptions: places, packetCount: count)
    }

    /// Shows memory for so many packets, if that is not too much.
    private func prepare(packets: Int) {
        let (perBuffer, overflow) = packets.multipliedReportingOverflow(by: packetBytes)
        let isOwn = !overflow && perBuffer <= Self.mostBytes / bufferCount
        let bytes = isOwn ? perBuffer : 0
        if unsafe memory.count < bytes * bufferCount {
            unsafe memory.deallocate()
            unsafe memory = .allocate(byteCount: bytes * bufferCount, alignment: 64)
            // What a client does not fill but counts is silence rather than what was there.
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

    /// The packets that the buffers hold. How many bytes those have that differ in size, their descriptions tell.
    ///
    /// COMPAT: at the end of their sound many procedures give fewer bytes, or none, and leave the number of
    /// packets as they found it.
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
