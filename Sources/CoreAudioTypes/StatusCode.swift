// SPDX-License-Identifier: MIT

/// A result of a Core Audio function, with a readable description.
public struct StatusCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: OSStatus

    public init(rawValue: OSStatus) {
        self.rawValue = rawValue
    }

    /// The published name of a general result; nil for results of single services.
    public var name: String? {
        switch rawValue {
        case noErr: "noErr"
        case kAudio_UnimplementedError: "kAudio_UnimplementedError"
        case kAudio_FileNotFoundError: "kAudio_FileNotFoundError"
        case kAudio_TooManyFilesOpenError: "kAudio_TooManyFilesOpenError"
        case kAudio_ParamError: "kAudio_ParamError"
        case kAudio_FilePermissionError: "kAudio_FilePermissionError"
        case kAudio_MemFullError: "kAudio_MemFullError"
        case kAudio_BadFilePathError: "kAudio_BadFilePathError"
        default: nil
        }
    }

    /// The name or the four characters with the number, or only the number: `kAudio_ParamError (-50)`, `'fmt?'
    /// (1718449215)`, `-66681`.
    public var description: String {
        let code = FourCharacterCode(rawValue: UInt32(bitPattern: rawValue))
        if let name { return "\(name) (\(rawValue))" }
        return code.isPrintable ? "\(code) (\(rawValue))" : "\(rawValue)"
    }
}
