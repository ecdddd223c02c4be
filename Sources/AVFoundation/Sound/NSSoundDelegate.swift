// SPDX-License-Identifier: MIT

public import Foundation

/// The method that a sound calls, on the main actor. It is optional.
@MainActor public protocol NSSoundDelegate: NSObjectProtocol {
    /// Called once when a sound has ended.
    ///
    /// - Parameter flag: False if it was stopped, or could not be decoded to its end.
    func sound(_ sound: NSSound, didFinishPlaying flag: Bool)
}

extension NSSoundDelegate {
    /// Does nothing.
    public func sound(_ sound: NSSound, didFinishPlaying flag: Bool) {}
}
