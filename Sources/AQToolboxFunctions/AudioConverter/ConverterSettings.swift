// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation

/// The settings of a converter as a property list, which programs store and set on another converter.
///
/// The list is an array of one dictionary: from the code of each property to its number, both as text.
enum ConverterSettings {
    /// The property list; nil if memory is insufficient.
    static func list(of converter: ConverterObject) -> CFMutableArray? {
        let entries = numbers.compactMap { entry in
            entry.number(converter.request).map { (key: key(of: entry.property), value: "\($0)") }
        }
        return AudioFileObject.dictionary(entries).flatMap { AudioFileObject.array([$0]) }
    }

    /// Applies all settings of a property list, or none after an error; settings not in the list remain.
    ///
    /// - Parameter address: The list's address; the client guarantees that it is an object of CoreFoundation.
    /// - Throws: `kAudio_ParamError` for an object of another type; the errors of setting each property.
    static func apply(listAt address: UInt, to converter: ConverterObject) throws(StatusError) {
        let wrongType = StatusError(kAudio_ParamError)
        guard let reference = unsafe UnsafeRawPointer(bitPattern: address) else { throw wrongType }
        // SAFETY: the client retains the list during the call, and the list retains its elements.
        let array = unsafe Unmanaged<CFArray>.fromOpaque(reference).takeUnretainedValue()
        guard CFGetTypeID(array) == CFArrayGetTypeID() else { throw wrongType }
        let before = converter.request
        do throws(StatusError) {
            for index in 0..<CFArrayGetCount(array) {
                guard let entry = unsafe CFArrayGetValueAtIndex(array, index) else { throw wrongType }
                let dictionary = unsafe Unmanaged<CFDictionary>.fromOpaque(entry).takeUnretainedValue()
                guard CFGetTypeID(dictionary) == CFDictionaryGetTypeID() else { throw wrongType }
                try apply(dictionary, to: converter)
            }
        } catch {
            try? converter.change { $0 = before }
            throw error
        }
    }

    private static func apply(
        _ dictionary: CFDictionary, to converter: ConverterObject
    ) throws(StatusError) {
        for (property, _) in numbers {
            guard let number = Self.number(of: property, in: dictionary) else { continue }
            do throws(StatusError) {
                try unsafe withUnsafeBytes(of: number) { (bytes) throws(StatusError) in
                    try unsafe converter.set(property, to: bytes)
                }
            } catch {
                // A converter without a codec ignores a codec's settings.
                guard error.status == kAudioConverterErr_PropertyNotSupported else { throw error }
            }
        }
    }

    /// The properties that are 32-bit numbers, each with the function that reads its number.
    private static let numbers:
        [(property: AudioConverterPropertyID, number: @Sendable (ConverterRequest) -> Int32?)] = [
            (kAudioConverterSampleRateConverterQuality, { Int32(clamping: $0.rateQuality) }),
            (kAudioConverterSampleRateConverterComplexity, { Int32(bitPattern: $0.rateComplexity) }),
            (kAudioConverterPrimeMethod, { Int32(clamping: $0.primeMethod) }),
            (kAudioConverterPropertyDithering, { Int32(clamping: $0.ditherKind.rawValue) }),
            (kAudioConverterPropertyDitherBitDepth, { Int32(clamping: $0.ditherBits) }),
            (kAudioConverterCodecQuality, { $0.codecQuality.map { Int32(clamping: $0) } }),
            (kAudioConverterEncodeBitRate, { $0.settings.bitRate.map { Int32(clamping: $0) } }),
            (kAudioConverterPropertyBitDepthHint, { $0.bitDepthHint }),
        ]

    private static func number(of property: AudioConverterPropertyID, in dictionary: CFDictionary) -> Int32? {
        guard let key = AudioFileObject.string(Self.key(of: property)) else { return nil }
        return withExtendedLifetime(key) { () -> Int32? in
            guard
                let value = unsafe CFDictionaryGetValue(
                    dictionary, Unmanaged.passUnretained(key).toOpaque())
            else { return nil }
            let text = unsafe Unmanaged<CFString>.fromOpaque(value).takeUnretainedValue()
            return CFGetTypeID(text) == CFStringGetTypeID() ? CFStringGetIntValue(text) : nil
        }
    }

    private static func key(of property: AudioConverterPropertyID) -> String {
        FourCharacterCode(rawValue: property).description
    }
}
