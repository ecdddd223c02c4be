// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes

/// The input of one conversion: calls the client's block, and passes its buffers on.
@safe final class ConverterFeed {
    // SAFETY: the block gets the address of a local variable.

    /// The status by which the input procedure says that there is no data yet.
    static let noDataNow: OSStatus = 0x6E6F_6461  // 'noda'

    private let block: AVAudioConverterInputBlock
    private let format: AVAudioFormat
    /// The last buffer of the client, from which the converter reads until it asks again.
    private(set) var buffer: AVAudioBuffer?
    private(set) var hasEnded: Bool
    /// Why the client's buffer cannot be used.
    private(set) var failure: String?

    init(
        _ block: @escaping AVAudioConverterInputBlock, _ format: AVAudioFormat, after buffer: AVAudioBuffer?,
        hasEnded: Bool
    ) {
        unsafe self.block = unsafe block
        self.format = format
        self.buffer = buffer
        self.hasEnded = hasEnded
    }

    /// Provides the next packets, as an `AudioConverterComplexInputDataProc` does.
    @unsafe func provide(
        _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutableAudioBufferListPointer,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        let wanted = unsafe packets.pointee
        unsafe packets.pointee = 0
        if hasEnded { return noErr }
        var status = AVAudioConverterInputStatus.noDataNow
        let next = unsafe block(wanted, &status)
        switch status {
        case .endOfStream:
            hasEnded = true
            return noErr
        case .noDataNow: return Self.noDataNow
        case .haveData: break
        }
        guard let next else { return Self.noDataNow }
        guard format.fits(next.format) else {
            failure = "cannot convert: the input has another format than the converter"
            return kAudio_ParamError
        }
        buffer = next
        let source = unsafe next.memory.filled
        for index in unsafe source.indices where unsafe index < list.count {
            unsafe list[index] = source[index]
        }
        if let compressed = next as? AVAudioCompressedBuffer {
            unsafe packets.pointee = compressed.packetCount
            unsafe descriptions?.pointee = compressed.packetDescriptions
        } else if let pcm = next as? AVAudioPCMBuffer {
            unsafe packets.pointee = pcm.frameLength
        }
        // No packets would be the end.
        return unsafe packets.pointee > 0 ? noErr : Self.noDataNow
    }
}

/// The input procedure of all conversions. The user data is the ``ConverterFeed``.
func provideConverterInput(
    _: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let userData = unsafe userData else { return kAudio_ParamError }
    // The conversion holds the feed.
    let feed = unsafe Unmanaged<ConverterFeed>.fromOpaque(userData).takeUnretainedValue()
    return unsafe feed.provide(packets, UnsafeMutableAudioBufferListPointer(list), descriptions)
}
