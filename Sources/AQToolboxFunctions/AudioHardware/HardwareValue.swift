// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation

/// The value of a property, before it is copied to the caller's memory.
enum HardwareValue: Sendable, Equatable {
    case number(UInt32)
    case numbers([UInt32])
    case real(Float64)
    case single(Float32)
    /// An `AudioValueRange`.
    case range(Float64, Float64)
    /// Interleaved native floats.
    case format(channels: Int, sampleRate: Float64)
    /// Ranges of a single value each, for the rates of a device with a fixed rate.
    case singleValueRanges([Float64])
    case text(String)
    /// An object; nil is `kAudioObjectUnknown`.
    case object(HardwareObject?)
    case objects([HardwareObject])
    /// An `AudioBufferList` without data: the channels of each buffer.
    case bufferList(channels: [Int])
    /// A reference that is NULL.
    case null

    var byteCount: Int { answer(numbering: nil).byteCount }

    /// The value in the form that C functions return.
    ///
    /// - Parameter table: The numbers of the objects; nil if only the size counts.
    func answer(numbering table: HardwareObjectTable?) -> PropertyAnswer {
        switch self {
        case .number(let number): .one(number)
        case .numbers(let numbers): .many(numbers)
        case .real(let number): .one(number)
        case .single(let number): .one(number)
        case .range(let least, let most): .one(AudioValueRange(mMinimum: least, mMaximum: most))
        case .format(let channels, let sampleRate):
            .one(AudioStreamBasicDescription.float(channels: channels, sampleRate: sampleRate))
        case .singleValueRanges(let values): .many(values.map { AudioValueRange(mMinimum: $0, mMaximum: $0) })
        case .text(let text): .text(text)
        case .object(let object): .one(object.flatMap { table?.number(of: $0) } ?? kAudioObjectUnknown)
        case .objects(let objects): .many(objects.map { table?.number(of: $0) ?? kAudioObjectUnknown })
        case .bufferList(let channels): .bytes(HardwareValue.bufferListBytes(channels))
        case .null: .one(0 as UInt)
        }
    }

    /// The offset of the buffers in an `AudioBufferList`, in bytes.
    ///
    /// This is also the size of a list without buffers; the struct is larger, since it has room for one buffer.
    private static let bufferListHeaderBytes = unsafe MemoryLayout<AudioBuffer>.alignment

    /// An `AudioBufferList` whose buffers have channels and no data.
    private static func bufferListBytes(_ channels: [Int]) -> [UInt8] {
        let count = UInt32(clamping: channels.count)
        var bytes = nativeBytes(count)
        bytes += [UInt8](repeating: 0, count: bufferListHeaderBytes - bytes.count)
        for channels in channels {
            bytes += nativeBytes(UInt32(clamping: channels))
            // The data is NULL, of 0 bytes.
            let rest = unsafe MemoryLayout<AudioBuffer>.stride - MemoryLayout<UInt32>.size
            bytes += [UInt8](repeating: 0, count: rest)
        }
        return bytes
    }

    private static func nativeBytes(_ number: UInt32) -> [UInt8] {
        unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
    }
}
