// SPDX-License-Identifier: MIT

public import Foundation

/// The key of an option that has no effect: durations are always exact.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"

/// The asset of a file at a URL.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    // SAFETY: as for the class above.

    /// Makes the asset of a file. Nothing is read.
    ///
    /// - Parameter options: Ignored.
    public init(url URL: URL, options: [String: Any]? = nil) { super.init(fileURL: URL) }

    open var url: URL { fileURL }
}
