import CAudioToolbox
import CoreAudioTypes

/// The reason why Audio Format Services have no value for a property.
enum AudioFormatError: Error, Equatable {
    /// A required pointer is null, or its data contradicts itself.
    case parameter
    /// There is no such property.
    case unsupportedProperty
    /// The memory for the value is too small for it.
    case badPropertySize
    /// The specifier has fewer bytes than the property requires.
    case badSpecifierSize
    /// The format or the layout is known, but has no such value here.
    case unsupportedDataFormat
    /// The tag, the label or the format ID is unknown.
    case unknownFormat

    /// The result of the C functions.
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

    /// The error of reading a layout, as the property that validates layouts reports it.
    init(_ error: ChannelLayoutError) {
        self =
            switch error.code {
            case .truncated: .parameter
            case .unknownTag: .unknownFormat
            }
    }
}
