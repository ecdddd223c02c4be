// SPDX-License-Identifier: MIT

import AudioToolbox
import Foundation

/// The errors of assets.
enum AssetFailure {
    /// The codes, as published for ``AVFoundationErrorDomain``.
    enum Code: Int {
        case unknown = -11800
        case fileFormatNotRecognized = -11828
        case fileFailedToParse = -11829
        case operationNotSupported = -11838
    }

    /// Makes the error of a code.
    ///
    /// - Parameter reason: Why the file cannot be opened.
    static func error(_ code: Code, _ url: URL, _ reason: String, underlying: NSError? = nil) -> NSError {
        make(AVFoundationErrorDomain, code.rawValue, url, reason, underlying)
    }

    static func error(missing url: URL) -> NSError {
        make(NSURLErrorDomain, NSURLErrorFileDoesNotExist, url, "no such file", nil)
    }

    static func error(unreadable url: URL) -> NSError {
        make(NSURLErrorDomain, NSURLErrorNoPermissionsToReadFile, url, "no permission to read it", nil)
    }

    /// Makes the error for one of ``AVAudioFile``.
    static func error(_ underlying: NSError, _ url: URL) -> NSError {
        let (code, reason): (Code, String) =
            switch OSStatus(truncatingIfNeeded: underlying.code) {
            case kAudioFileUnsupportedFileTypeError: (.fileFormatNotRecognized, "no known type of file")
            case kAudioFileInvalidFileError, kAudioFileUnsupportedDataFormatError:
                (.fileFailedToParse, "it is damaged, or its format is not supported")
            default: (.unknown, underlying.localizedDescription)
            }
        return error(code, url, reason, underlying: underlying)
    }

    private static func make(
        _ domain: String, _ code: Int, _ url: URL, _ reason: String, _ underlying: NSError?
    ) -> NSError {
        var details: [String: Any] = [
            NSLocalizedDescriptionKey: "cannot open '\(url.lastPathComponent)': \(reason)",
            NSURLErrorKey: url,
        ]
        details[NSUnderlyingErrorKey] = underlying
        return NSError(domain: domain, code: code, userInfo: details)
    }
}
