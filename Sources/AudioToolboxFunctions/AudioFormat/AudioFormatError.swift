import CAudioToolbox
import CoreAudioTypes

/// Why Audio Format Services have no value for a property.
enum AudioFormatError: Error, Equatable {
    /// A pointer is null that must not be, or what it points to contradicts itself.
    case parameter
    /// There is no such property.
    case unsupportedProperty
    /// The memory for the value is too small for it.
    case badPropertySize
    /// The specifier has fewer bytes than the property is asked with.
    case badSpecifierSize
    /// The format or the layout is known, but there is no such value for it here.
    case unsupportedDataFormat
    /// The tag, the label or the format ID is not known.
    case unknownFormat

    /// What the C functions return.
    var status: OSStatus {
        switch self {
        case .parameter: kAudio_ParamError
        case .unsupportedProperty: kAudioFormatUnsupportedPropertyError
        case .badPropertySize: kAudioFormatBadPropertySizeError
        case .badSpecifierSize: kAudioFormatBadSpecifierSizeError
        case .unsupportedDataFormat: kAudioFormatUnsupportedDataFormatError
        case .unknownFormat: kAudioFormatUnknownFormatError
        }
    }

    /// What reading a layout failed for, in the terms of the property that validates layouts.
    init(_ error: ChannelLayoutError) {
        self =
            switch error.code {
            case .truncated: .parameter
            case .unknownTag: .unknownFormat
            }
    }
}
