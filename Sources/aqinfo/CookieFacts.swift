// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// The fields of a magic cookie.
struct CookieFacts: Equatable {
    struct Field: Equatable {
        /// The key in JSON.
        var key: String
        var value: Value
    }

    enum Value: Equatable {
        case number(Int)
        case text(String)
    }

    /// The type of the cookie; nil if it is unknown.
    private(set) var kind: String?
    private(set) var fields: [Field] = []
    /// The reason why the cookie cannot be parsed.
    private(set) var problem: String?

    init(cookie: [UInt8], formatID: AudioFormatID) {
        do throws(MagicCookieError) {
            switch formatID {
            case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
                kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD:
                try readAAC(cookie)
            case kAudioFormatAppleLossless:
                try readALAC(cookie)
            default: break
            }
        } catch {
            problem = error.message
        }
    }

    private mutating func readAAC(_ cookie: [UInt8]) throws(MagicCookieError) {
        kind = "AudioSpecificConfig"
        // An elementary stream descriptor begins with its tag.
        if cookie.first == 0x03 {
            let stream = try ElementaryStreamDescriptor(bytes: cookie)
            kind = "ES descriptor with AudioSpecificConfig"
            add("objectTypeIndication", Int(stream.objectTypeIndication))
            add("bufferBytes", stream.bufferBytes)
            add("maximumBitRate", stream.maximumBitRate)
            add("averageBitRate", stream.averageBitRate)
            add("decoderSpecificInfo", Hexadecimal.text(stream.decoderSpecificInfo))
        }
        let config = try AACCookie.audioSpecificConfig(inCookie: cookie)
        add("objectType", Int(config.objectType))
        add("profile", Self.profile(config))
        add("sampleRate", config.sampleRate)
        add("channelConfiguration", Int(config.channelConfiguration))
        add("channels", config.channels)
        add("framesPerPacket", config.framesPerPacket)
        if let type = config.extensionObjectType { add("extensionObjectType", Int(type)) }
        if let rate = config.extensionSampleRate { add("extensionSampleRate", rate) }
    }

    private mutating func readALAC(_ cookie: [UInt8]) throws(MagicCookieError) {
        kind = "ALACSpecificConfig"
        let config = try ALACSpecificConfig(bytes: cookie)
        add("frameLength", config.frameLength)
        add("bitDepth", config.bitDepth)
        add("pb", Int(config.pb))
        add("mb", Int(config.mb))
        add("kb", Int(config.kb))
        add("channels", config.channels)
        add("maxRun", config.maxRun)
        add("maxFrameBytes", config.maxFrameBytes)
        add("averageBitRate", config.averageBitRate)
        add("sampleRate", config.sampleRate)
        if let tag = config.channelLayoutTag { add("channelLayoutTag", Int(tag)) }
    }

    private mutating func add(_ key: String, _ number: Int) {
        fields.append(Field(key: key, value: .number(number)))
    }

    private mutating func add(_ key: String, _ text: String) {
        fields.append(Field(key: key, value: .text(text)))
    }

    /// The common audio object types of ISO/IEC 14496-3, table 1.17.
    private static func profile(_ config: AudioSpecificConfig) -> String {
        switch config.extensionObjectType {
        case 29: return "HE-AAC v2"
        case 5: return "HE-AAC"
        default: break
        }
        switch config.objectType {
        case 1: return "AAC Main"
        case 2: return "AAC-LC"
        case 3: return "AAC-SSR"
        case 4: return "AAC-LTP"
        case 23: return "AAC-LD"
        case 39: return "AAC-ELD"
        case 42: return "USAC"
        default: return "object type \(config.objectType)"
        }
    }
}

/// Bytes and numbers as hexadecimal digits.
enum Hexadecimal {
    /// Returns two digits for each byte, with `separator` between bytes.
    static func text(_ bytes: some Sequence<UInt8>, separator: String = "") -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
    }

    /// Returns `0x` and eight digits.
    static func text(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return "0x" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}
