import AudioCodecs
import CAudioToolbox
import CoreAudioTypes
import CoreFoundation

/// The settings of a converter as a property list, which programs store and set on another.
///
/// It is an array of one dictionary: the code of each property, and its number, both as text.
enum ConverterSettings {
    /// The property list; nil if memory is insufficient.
    static func list(of converter: ConverterObject) -> CFMutableArray? {
        let entries = numbers(of: converter.request).map {
            (key: key(of: $0.property), value: "\($0.number)")
        }
        var callbacks = kCFTypeArrayCallBacks
        guard let dictionary = AudioFileObject.dictionary(entries),
            let array = unsafe CFArrayCreateMutable(nil, 1, &callbacks)
        else { return nil }
        // SAFETY: the array retains the dictionary before this reference to it ends.
        withExtendedLifetime(dictionary) {
            unsafe CFArrayAppendValue(array, Unmanaged.passUnretained(dictionary).toOpaque())
        }
        return array
    }

    /// Sets all settings of a property list, or none; others remain.
    ///
    /// - Parameter address: The list's address; the client guarantees that it is an object of CoreFoundation.
    /// - Returns: `kAudio_ParamError` for an object of another type; the errors of setting each property.
    static func apply(listAt address: UInt, to converter: ConverterObject) -> OSStatus {
        guard let reference = unsafe UnsafeRawPointer(bitPattern: address) else { return kAudio_ParamError }
        // SAFETY: the client keeps the list during its call, and the list its elements.
        let array = unsafe Unmanaged<CFArray>.fromOpaque(reference).takeUnretainedValue()
        guard CFGetTypeID(array) == CFArrayGetTypeID() else { return kAudio_ParamError }
        let before = converter.request
        for index in 0..<CFArrayGetCount(array) {
            guard let entry = unsafe CFArrayGetValueAtIndex(array, index) else { return kAudio_ParamError }
            let dictionary = unsafe Unmanaged<CFDictionary>.fromOpaque(entry).takeUnretainedValue()
            guard CFGetTypeID(dictionary) == CFDictionaryGetTypeID() else { return kAudio_ParamError }
            for property in properties {
                guard let number = Self.number(of: property, in: dictionary) else { continue }
                let status = unsafe withUnsafeBytes(of: number) { unsafe converter.set(property, to: $0) }
                // A converter without a codec ignores a codec's settings.
                if status == noErr || status == kAudioConverterErr_PropertyNotSupported { continue }
                _ = converter.change { $0 = before }
                return status
            }
        }
        return noErr
    }

    /// The properties that are numbers of 32 bits.
    private static let properties = [
        kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterComplexity,
        kAudioConverterPrimeMethod, kAudioConverterPropertyDithering, kAudioConverterPropertyDitherBitDepth,
        kAudioConverterCodecQuality, kAudioConverterEncodeBitRate, kAudioConverterPropertyBitDepthHint,
    ]

    /// The settings that are numbers, set or by default.
    private static func numbers(
        of request: ConverterRequest
    ) -> [(property: AudioConverterPropertyID, number: Int32)] {
        var numbers: [(AudioConverterPropertyID, Int32)] = [
            (kAudioConverterSampleRateConverterQuality, Int32(clamping: request.rateQuality)),
            (kAudioConverterSampleRateConverterComplexity, Int32(bitPattern: request.rateComplexity)),
            (kAudioConverterPrimeMethod, Int32(clamping: request.primeMethod)),
            (kAudioConverterPropertyDithering, Int32(clamping: request.ditherKind.rawValue)),
            (kAudioConverterPropertyDitherBitDepth, Int32(clamping: request.ditherBits)),
        ]
        if let quality = request.codecQuality {
            numbers.append((kAudioConverterCodecQuality, Int32(clamping: quality)))
        }
        if let bitRate = request.settings.bitRate {
            numbers.append((kAudioConverterEncodeBitRate, Int32(clamping: bitRate)))
        }
        if let hint = request.bitDepthHint { numbers.append((kAudioConverterPropertyBitDepthHint, hint)) }
        return numbers.map { (property: $0.0, number: $0.1) }
    }

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
