// SPDX-License-Identifier: MIT

/// The order of channels in an `AudioChannelLayout`, as a value.
public struct ChannelLayout: Sendable, Equatable {
    /// A channel of a layout that describes each channel.
    public struct Channel: Sendable, Equatable {
        /// The label of the channel.
        public var label: AudioChannelLabel
        /// The coordinate system of ``coordinates``; 0 for none.
        public var flags: UInt32
        /// The position of the channel, as in an `AudioChannelDescription`.
        public var coordinates: SIMD3<Float>

        /// Makes a channel, by default without coordinates.
        public init(label: AudioChannelLabel, flags: UInt32 = 0, coordinates: SIMD3<Float> = .zero) {
            self.label = label
            self.flags = flags
            self.coordinates = coordinates
        }
    }

    /// The label of each channel, in the order of the samples.
    public let labels: [AudioChannelLabel]
    /// The tag that defined the layout. For a bitmap or labels, the tag of the common layout with these labels;
    /// `kAudioChannelLayoutTag_UseChannelDescriptions` if there is none, or descriptions defined the layout.
    public let tag: AudioChannelLayoutTag
    /// The descriptions that defined the layout; empty if a tag, bitmap or labels did.
    public let descriptions: [Channel]

    /// The number of channels.
    public var channels: Int { labels.count }

    /// Makes a layout of the labels, with the common tag for this order.
    public init(labels: [AudioChannelLabel]) {
        self.labels = labels
        self.tag = ChannelLayoutTags.tag(of: labels) ?? kAudioChannelLayoutTag_UseChannelDescriptions
        self.descriptions = []
    }

    /// Makes a layout from a tag.
    ///
    /// - Throws: ``ChannelLayoutError/Code/unknownTag`` if the tag defines no order of channels.
    public init(tag: AudioChannelLayoutTag) throws(ChannelLayoutError) {
        guard let labels = ChannelLayoutTags.labels(of: tag) else {
            throw ChannelLayoutError(
                .unknownTag,
                "cannot determine the channels of layout tag \(tag >> 16) with \(tag & 0xFFFF) channels")
        }
        self.labels = labels
        self.tag = tag
        self.descriptions = []
    }

    /// Makes a layout of the speakers in a bitmap, the lowest bit first.
    ///
    /// - Parameter bitmap: The bitmap. Bits without a speaker become channels of unknown use.
    public init(bitmap: AudioChannelBitmap) {
        self.init(labels: (0..<32).filter { bitmap.rawValue & 1 << $0 != 0 }.map(Self.label(ofBit:)))
    }

    private init(descriptions: [Channel]) {
        self.labels = descriptions.map(\.label)
        self.tag = kAudioChannelLayoutTag_UseChannelDescriptions
        self.descriptions = descriptions
    }

    /// Copies an `AudioChannelLayout` from memory that may be unaligned and is not trusted.
    ///
    /// - Parameter bytes: The layout. Bytes after it are ignored.
    /// - Throws: ``ChannelLayoutError/Code/truncated`` if the memory ends inside the header or before the end of the
    ///   last description; ``ChannelLayoutError/Code/unknownTag`` if the tag defines no order of channels.
    @unsafe
    public init(copying bytes: UnsafeRawBufferPointer) throws(ChannelLayoutError) {
        guard bytes.count >= Self.headerBytes else {
            throw ChannelLayoutError(
                .truncated,
                "cannot read a channel layout: \(bytes.count) bytes, a header has \(Self.headerBytes)")
        }
        // SAFETY: the header is inside `bytes`, and the loads allow any alignment.
        let tag = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions:
            try unsafe self.init(descriptions: Self.descriptions(in: bytes))
        case kAudioChannelLayoutTag_UseChannelBitmap:
            let bitmap = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            self.init(bitmap: AudioChannelBitmap(rawValue: bitmap))
        default:
            try self.init(tag: tag)
        }
    }

    private static let headerBytes = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12

    private static func descriptions(
        in bytes: UnsafeRawBufferPointer
    ) throws(ChannelLayoutError) -> [Channel] {
        let promised = Int(unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        let stride = MemoryLayout<AudioChannelDescription>.stride
        let present = (bytes.count - headerBytes) / stride
        guard promised <= present else {
            throw ChannelLayoutError(
                .truncated,
                "cannot read a channel layout: \(promised) descriptions promised, "
                    + "\(present) in \(bytes.count) bytes"
            )
        }
        var result: [Channel] = []
        result.reserveCapacity(promised)
        for index in 0..<promised {
            // SAFETY: `bytes` contains `promised` descriptions, and any bits are a valid description.
            let one = unsafe bytes.loadUnaligned(
                fromByteOffset: headerBytes + index * stride, as: AudioChannelDescription.self)
            let (x, y, z) = one.mCoordinates
            result.append(
                Channel(
                    label: one.mChannelLabel, flags: one.mChannelFlags.rawValue, coordinates: SIMD3(x, y, z)))
        }
        return result
    }

    private static func label(ofBit bit: UInt32) -> AudioChannelLabel {
        switch bit {
        case 0..<18: bit + 1
        case 21: kAudioChannelLabel_LeftTopMiddle
        case 23: kAudioChannelLabel_RightTopMiddle
        case 24: kAudioChannelLabel_LeftTopRear
        case 25: kAudioChannelLabel_CenterTopRear
        case 26: kAudioChannelLabel_RightTopRear
        default: kAudioChannelLabel_Unknown
        }
    }
}
