import CAudioToolbox
import CoreAudioTypes

/// Layouts in the memory of clients.
enum PublishedLayout {
    /// What each channel is for.
    ///
    /// - Parameter bytes: The structure and what follows it, which are not trusted.
    /// - Throws: If there is less of it than it says, or its tag is unknown.
    @unsafe
    static func labels(in bytes: UnsafeRawBufferPointer) throws(ChannelLayoutError) -> [AudioChannelLabel] {
        try unsafe ChannelLayout(copying: bytes).labels
    }

    /// What each channel is for, of a layout whose size its caller does not tell but by what is in it.
    ///
    /// - Throws: As ``labels(in:)``; also for more channels than any format has.
    @unsafe
    static func labels(
        at layout: UnsafePointer<AudioChannelLayout>
    ) throws(ChannelLayoutError) -> [AudioChannelLabel] {
        let isDescribed =
            unsafe layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_UseChannelDescriptions
        let described = unsafe isDescribed ? Int(layout.pointee.mNumberChannelDescriptions) : 0
        guard described <= AudioStreamBasicDescription.maximumChannels else {
            throw ChannelLayoutError(
                .truncated, "cannot read a channel layout: \(described) descriptions are too many")
        }
        let header = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12
        let bytes = header + described * MemoryLayout<AudioChannelDescription>.stride
        return try unsafe labels(in: UnsafeRawBufferPointer(start: layout, count: bytes))
    }
}
