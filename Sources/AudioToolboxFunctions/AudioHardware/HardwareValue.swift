import CAudioToolbox
import CoreAudioTypes
import CoreFoundation

/// The value of a property, before it is copied to the caller's memory.
enum HardwareValue: Sendable, Equatable {
    case number(UInt32)
    case numbers([UInt32])
    case real(Float64)
    /// Ranges of a single value each, for the rates of a device with a fixed one.
    case singleValueRanges([Float64])
    case text(String)
    /// An object; nil is `kAudioObjectUnknown`.
    case object(HardwareObject?)
    case objects([HardwareObject])
    /// An `AudioBufferList` without data: the channels of each buffer.
    case bufferList(channels: [Int])
    /// A reference that is NULL.
    case null

    /// The size of the published form of the value in bytes.
    var byteCount: Int {
        switch self {
        case .number, .object: MemoryLayout<UInt32>.size
        case .numbers(let numbers): numbers.count * MemoryLayout<UInt32>.stride
        case .real: MemoryLayout<Float64>.size
        case .singleValueRanges(let values): values.count * MemoryLayout<AudioValueRange>.stride
        case .text, .null: MemoryLayout<UInt>.size
        case .objects(let objects): objects.count * MemoryLayout<AudioObjectID>.stride
        case .bufferList(let channels):
            unsafe HardwareValue.bufferListHeaderBytes + channels.count * MemoryLayout<AudioBuffer>.stride
        }
    }

    /// The offset of the buffers in an `AudioBufferList`.
    ///
    /// It is also the size of a list without buffers, which is smaller than the struct, since that has room
    /// for one.
    private static let bufferListHeaderBytes = unsafe MemoryLayout<AudioBuffer>.alignment

    /// Copies the value to the caller of a C function.
    func write(to reply: PropertyReply, numbering table: HardwareObjectTable) -> OSStatus {
        let tooSmall = kAudioHardwareBadPropertySizeError
        switch self {
        case .number(let number): return reply.value(number, tooSmall: tooSmall)
        case .numbers(let numbers): return reply.values(numbers, tooSmall: tooSmall)
        case .real(let number): return reply.value(number, tooSmall: tooSmall)
        case .singleValueRanges(let values):
            let ranges = values.map { AudioValueRange(mMinimum: $0, mMaximum: $0) }
            return reply.values(ranges, tooSmall: tooSmall)
        case .text(let text): return reply.object({ HardwareText.make(text) }, tooSmall: tooSmall)
        case .object(let object):
            let number = object.map { table.number(of: $0) } ?? kAudioObjectUnknown
            return reply.value(number, tooSmall: tooSmall)
        case .objects(let objects):
            return reply.values(objects.map { table.number(of: $0) }, tooSmall: tooSmall)
        case .bufferList(let channels):
            return reply.bytes(HardwareValue.bufferListBytes(channels), tooSmall: tooSmall)
        case .null: return reply.value(UInt(0), tooSmall: tooSmall)
        }
    }

    /// An `AudioBufferList` whose buffers have channels and no data.
    private static func bufferListBytes(_ channels: [Int]) -> [UInt8] {
        let count = UInt32(clamping: channels.count)
        var bytes = nativeBytes(count)
        bytes += [UInt8](repeating: 0, count: bufferListHeaderBytes - bytes.count)
        for channels in channels {
            bytes += nativeBytes(UInt32(clamping: channels))
            // No bytes of data, at NULL.
            let rest = unsafe MemoryLayout<AudioBuffer>.stride - MemoryLayout<UInt32>.size
            bytes += [UInt8](repeating: 0, count: rest)
        }
        return bytes
    }

    private static func nativeBytes(_ number: UInt32) -> [UInt8] {
        unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
    }
}
