import CAudioToolbox
import CoreAudioTypes

/// The published structure `AudioChannelLayout`, to and from what each channel is for.
enum PublishedLayout {
    private static let headerBytes =
        MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12

    /// A layout by its tag, or by a description of each channel if these have no common order.
    ///
    /// There is room for one description even if there is none, as in the structure.
    static func bytes(of labels: [AudioChannelLabel]) -> [UInt8] {
        let layout = ChannelLayout(labels: labels)
        let isDescribed = layout.tag == kAudioChannelLayoutTag_UseChannelDescriptions
        let header: [UInt32] = [layout.tag, 0, isDescribed ? UInt32(labels.count) : 0]
        var bytes = unsafe header.withUnsafeBytes { unsafe [UInt8]($0) }
        if isDescribed {
            for label in labels {
                // A label, flags, and three coordinates that the flags say nothing of.
                let description: [UInt32] = [label, 0, 0, 0, 0]
                unsafe description.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            }
        }
        let leastBytes = MemoryLayout<AudioChannelLayout>.size
        if bytes.count < leastBytes { bytes += [UInt8](repeating: 0, count: leastBytes - bytes.count) }
        return bytes
    }

    /// What each channel is for.
    ///
    /// - Parameter bytes: The structure and what follows it, which are not trusted.
    /// - Throws: If there is less of it than it says, or its tag is unknown.
    @unsafe
    static func labels(in bytes: UnsafeRawBufferPointer) throws(ChannelLayoutError) -> [AudioChannelLabel] {
        try unsafe ChannelLayout(copying: bytes).labels
    }

    /// The bytes of a layout whose size its caller does not tell, as far as it says itself.
    ///
    /// - Returns: Nil for more channels than any format has.
    @unsafe
    static func bytes(at layout: UnsafePointer<AudioChannelLayout>) -> UnsafeRawBufferPointer? {
        let described =
            unsafe layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_UseChannelDescriptions
            ? unsafe Int(layout.pointee.mNumberChannelDescriptions) : 0
        guard described <= AudioStreamBasicDescription.maximumChannels else { return nil }
        let bytes = headerBytes + described * MemoryLayout<AudioChannelDescription>.stride
        return unsafe UnsafeRawBufferPointer(start: layout, count: bytes)
    }
}
