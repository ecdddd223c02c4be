// SPDX-License-Identifier: MIT

public import CAQCoreMedia
import CoreFoundation

// COMPAT: on Apple's systems the objects of CoreMedia are `Hashable`: descriptions by their contents, all others by their
// identity.

extension CMFormatDescription: @retroactive Equatable, @retroactive Hashable {
    public static func == (left: CMFormatDescription, right: CMFormatDescription) -> Bool {
        CMFormatDescriptionEqual(left, otherFormatDescription: right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaSubType)
        if let format = audioStreamBasicDescription {
            hasher.combine(format.mSampleRate)
            hasher.combine(format.mChannelsPerFrame)
        }
    }
}

extension CMSampleBuffer: @retroactive Equatable, @retroactive Hashable {
    public static func == (left: CMSampleBuffer, right: CMSampleBuffer) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMBlockBuffer: @retroactive Equatable, @retroactive Hashable {
    public static func == (left: CMBlockBuffer, right: CMBlockBuffer) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMClock: @retroactive Equatable, @retroactive Hashable {
    public static func == (left: CMClock, right: CMClock) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
