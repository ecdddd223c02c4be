// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// Channel layouts in the memory of clients.
enum PublishedLayout {
    /// The use of each channel.
    ///
    /// - Parameters:
    ///   - bytes: The structure and the bytes after it, which are not trusted.
    ///   - truncated: The result if the layout is shorter than it states.
    ///   - unknown: The result if the layout's tag is unknown.
    @unsafe
    static func labels(
        in bytes: UnsafeRawBufferPointer, truncated: OSStatus, unknown: OSStatus
    ) throws(StatusError) -> [AudioChannelLabel] {
        do throws(ChannelLayoutError) {
            return try unsafe ChannelLayout(copying: bytes).labels
        } catch {
            throw StatusError(error.code == .truncated ? truncated : unknown)
        }
    }

    /// Copies a layout whose caller passes no size: the layout's own count determines the size.
    ///
    /// - Throws: An error for an unknown tag, or for more channels than any format has.
    @unsafe
    static func layout(at start: UnsafeRawPointer) throws(ChannelLayoutError) -> ChannelLayout {
        let tag = unsafe start.loadUnaligned(as: AudioChannelLayoutTag.self)
        let isDescribed = tag == kAudioChannelLayoutTag_UseChannelDescriptions
        let described = unsafe isDescribed ? Int(start.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) : 0
        guard described <= AudioStreamBasicDescription.maximumChannels else {
            throw ChannelLayoutError(
                .truncated, "cannot read a channel layout: \(described) descriptions are too many")
        }
        let bytes =
            FormatSpecifier.layoutHeaderBytes + described * MemoryLayout<AudioChannelDescription>.stride
        return try unsafe ChannelLayout(copying: UnsafeRawBufferPointer(start: start, count: bytes))
    }
}
