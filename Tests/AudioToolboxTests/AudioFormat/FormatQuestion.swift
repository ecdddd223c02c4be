// SPDX-License-Identifier: MIT

import AQToolboxFunctions
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation

/// Property queries of Audio Format Services.
enum FormatQuestion {
    /// The status that a function returned instead of a value.
    struct Failure: Error, Equatable {
        var status: OSStatus

        init(_ status: OSStatus) { self.status = status }
    }

    /// The value of a property, whose size must equal the reported one.
    static func bytes(_ property: AudioFormatPropertyID, _ specifier: [UInt8] = []) throws -> [UInt8] {
        try unsafe specifier.withUnsafeBytes { memory in
            let count = UInt32(memory.count)
            let start = memory.count > 0 ? memory.baseAddress : nil
            var size: UInt32 = 0
            let asked = unsafe AudioFormatGetPropertyInfo(property, count, start, &size)
            guard asked == noErr else { throw Failure(asked) }
            var value = [UInt8](repeating: 0xA5, count: Int(size) + 8)
            var got = UInt32(value.count)
            let status = unsafe AudioFormatGetProperty(property, count, start, &got, &value)
            guard status == noErr, got == size else { throw Failure(status) }
            return Array(value[..<Int(got)])
        }
    }

    static func values<Value: BitwiseCopyable>(
        _ property: AudioFormatPropertyID, _ specifier: [UInt8] = [], as: Value.Type = Value.self
    ) throws -> [Value] {
        let bytes = try bytes(property, specifier)
        return unsafe bytes.withUnsafeBytes { memory in
            (0..<memory.count / MemoryLayout<Value>.stride).map {
                unsafe memory.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.stride, as: Value.self)
            }
        }
    }

    static func value<Value: BitwiseCopyable>(
        _ property: AudioFormatPropertyID, _ specifier: [UInt8] = [], as type: Value.Type = Value.self
    ) throws -> Value {
        let all = try values(property, specifier, as: type)
        guard all.count == 1 else { throw Failure(kAudioFormatBadPropertySizeError) }
        return all[0]
    }

    /// A text, of up to 63 characters.
    static func text(_ property: AudioFormatPropertyID, _ specifier: [UInt8]) throws -> String {
        let address = try value(property, specifier, as: UInt.self)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { throw Failure(noErr) }
        let string = unsafe Unmanaged<CFString>.fromOpaque(pointer).takeRetainedValue()
        var characters = [CChar](repeating: 0, count: 256)
        let isWhole = unsafe CFStringGetCString(
            string, &characters, characters.count, CFStringBuiltInEncodings.UTF8.rawValue)
        guard isWhole else { throw Failure(noErr) }
        return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The status of a query.
    static func status(_ property: AudioFormatPropertyID, _ specifier: [UInt8] = []) -> OSStatus {
        do {
            _ = try bytes(property, specifier)
            return noErr
        } catch {
            return (error as? Failure)?.status ?? kAudioFormatUnspecifiedError
        }
    }

    static func specifier<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
        unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
    }

    static func layout(tag: AudioChannelLayoutTag, bitmap: UInt32 = 0) -> [UInt8] {
        [tag, bitmap, 0].flatMap { specifier($0) }
    }

    static func layout(_ labels: [AudioChannelLabel], promised: UInt32? = nil) -> [UInt8] {
        let header: [UInt32] = [
            kAudioChannelLayoutTag_UseChannelDescriptions, 0, promised ?? UInt32(labels.count),
        ]
        let words = header + labels.flatMap { [$0, 0, 0, 0, 0] as [UInt32] }
        return words.flatMap { specifier($0) }
    }

    /// Queries two layouts, which are specified by pointers.
    static func pair<Answer>(
        _ input: [UInt8], _ output: [UInt8], _ ask: ([UInt8]) throws -> Answer
    ) throws -> Answer {
        try unsafe input.withUnsafeBytes { first in
            try unsafe output.withUnsafeBytes { second in
                let addresses = [
                    UInt(bitPattern: first.baseAddress), UInt(bitPattern: second.baseAddress),
                ]
                return try ask(addresses.flatMap { specifier($0) })
            }
        }
    }
}
