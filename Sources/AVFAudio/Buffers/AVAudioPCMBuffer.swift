// SPDX-License-Identifier: MIT

public import AudioToolbox
import CoreAudioTypes
public import Foundation

/// Samples of linear PCM.
@safe open class AVAudioPCMBuffer: AVAudioBuffer {
    // SAFETY: the table of channels lives as long as the object, as does the memory that it refers to.

    /// The number of frames that the memory has room for.
    public let frameCapacity: AVAudioFrameCount
    /// A pointer to the first sample of each channel; nil if the format has no common type of samples.
    private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>?

    /// Makes a buffer with room for no frame, to be replaced.
    public init() {
        frameCapacity = 0
        unsafe channels = nil
        super.init(AVAudioFormat(), .none)
    }

    /// Allocates silent memory. ``frameLength`` is 0.
    ///
    /// Nil if the format is not linear PCM, has no channels, or the memory would be larger than 4 GiB or is not there.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let asbd = format.asbd
        let (bytes, isTooLarge) = Int(frameCapacity).multipliedReportingOverflow(by: Int(asbd.mBytesPerFrame))
        guard !isTooLarge, asbd.isLinearPCM, asbd.mBytesPerFrame > 0, asbd.mChannelsPerFrame > 0,
            bytes <= UInt32.max,
            let memory = BufferMemory(
                buffers: asbd.isInterleaved ? 1 : Int(asbd.mChannelsPerFrame), bytes: bytes,
                channels: asbd.isInterleaved ? Int(asbd.mChannelsPerFrame) : 1)
        else { return nil }
        self.frameCapacity = frameCapacity
        unsafe channels = Self.channelTable(format, memory)
        super.init(format, memory)
        memory.filledBytes = 0
    }

    /// Uses memory of the client, whose audio it contains.
    ///
    /// - Parameters:
    ///   - format: The format, of linear PCM.
    ///   - bufferList: One buffer if the format is interleaved, otherwise one for each channel, all of one size. The list
    ///     is copied.
    ///   - deallocator: Called when the object is released, with the same buffers.
    /// - Returns: Nil if the buffers do not fit the format, are empty or have no memory.
    public init?(
        pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let asbd = format.asbd
        let list = unsafe UnsafeMutableAudioBufferListPointer(
            UnsafeMutablePointer(mutating: bufferList))
        let expected = asbd.isInterleaved ? 1 : Int(asbd.mChannelsPerFrame)
        guard asbd.isLinearPCM, asbd.mBytesPerFrame > 0, expected > 0, unsafe list.count == expected else {
            return nil
        }
        let size = unsafe list[0].mDataByteSize
        guard size > 0, unsafe list.allSatisfy({ unsafe $0.mDataByteSize == size && $0.mData != nil }) else {
            return nil
        }
        let memory = unsafe BufferMemory(using: list, deallocator: deallocator)
        frameCapacity = size / asbd.mBytesPerFrame
        unsafe channels = Self.channelTable(format, memory)
        super.init(format, memory)
        memory.filledBytes = Int(frameCapacity) * Int(asbd.mBytesPerFrame)
    }

    deinit { unsafe channels?.deallocate() }

    /// The number of frames of audio in the buffer, at most ``frameCapacity``: a greater number counts as that.
    open var frameLength: AVAudioFrameCount {
        get { AVAudioFrameCount(memory.filledBytes / max(1, Int(format.asbd.mBytesPerFrame))) }
        set {
            if newValue > frameCapacity {
                MisuseNote.write(
                    "a length of \(newValue) frames is more than the \(frameCapacity) of the buffer")
            }
            memory.filledBytes = Int(min(newValue, frameCapacity)) * Int(format.asbd.mBytesPerFrame)
        }
    }

    /// The distance between two samples of a channel, in samples: 1, or the number of channels if they are interleaved.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    /// The samples of each channel; nil unless they are 32-bit floats. Exists as long as this object.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        unsafe format.commonFormat == .pcmFormatFloat32 ? table() : nil
    }

    /// The samples of each channel; nil unless they are 16-bit integers. Exists as long as this object.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
        unsafe format.commonFormat == .pcmFormatInt16 ? table() : nil
    }

    /// The samples of each channel; nil unless they are 32-bit integers. Exists as long as this object.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
        unsafe format.commonFormat == .pcmFormatInt32 ? table() : nil
    }

    private func table<Sample>() -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard let channels = unsafe channels else { return nil }
        // SAFETY: pointers have one layout, and the format has samples of this type.
        return unsafe UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    private static func channelTable(
        _ format: AVAudioFormat, _ memory: BufferMemory
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer>? {
        let asbd = format.asbd
        guard format.commonFormat != .otherFormat else { return nil }
        let count = Int(asbd.mChannelsPerFrame)
        let table = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
        for channel in 0..<count {
            let offset = asbd.isInterleaved ? channel * Int(asbd.mBitsPerChannel / 8) : 0
            unsafe (table + channel).initialize(
                to: memory.samples(asbd.isInterleaved ? 0 : channel) + offset)
        }
        return unsafe table
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        guard format.asbd.mBytesPerFrame > 0 else { return AVAudioPCMBuffer() }
        guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
            fatalError("no memory for a copy of a buffer")
        }
        copy.memory.copyAudio(from: memory)
        return copy
    }
}
