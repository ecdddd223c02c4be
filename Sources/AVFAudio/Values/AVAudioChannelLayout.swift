// SPDX-License-Identifier: MIT

public import AudioToolbox
import CoreAudioTypes
public import Foundation

/// The order of channels, as an object. It never changes.
@safe open class AVAudioChannelLayout: NSObject, NSSecureCoding, @unchecked Sendable {
    // SAFETY: the memory is allocated by the initialiser, never written again, and freed by deinit.

    private let memory: UnsafeMutableRawPointer
    /// The size of ``layout``.
    let byteCount: Int
    /// The labels of the channels.
    let channels: ChannelLayout

    /// Makes a layout of a tag; nil if the tag does not define the order of the channels.
    ///
    /// `kAudioChannelLayoutTag_DiscreteInOrder`, `…_Unknown` and the ambisonic tags need the number of channels in their
    /// low 16 bits.
    public init?(layoutTag: AudioChannelLayoutTag) {
        guard let channels = try? ChannelLayout(tag: layoutTag), channels.channels > 0 else { return nil }
        self.channels = channels
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = layoutTag
        byteCount = MemoryLayout<AudioChannelLayout>.size
        unsafe memory = .allocate(
            byteCount: byteCount, alignment: MemoryLayout<AudioChannelLayout>.alignment)
        unsafe memory.storeBytes(of: layout, as: AudioChannelLayout.self)
        super.init()
    }

    /// Copies a layout.
    ///
    /// - Parameter layout: The layout, with as many descriptions as it counts. If it does not define an order, the layout
    ///   has its channels with unknown labels.
    public init(layout: UnsafePointer<AudioChannelLayout>) {
        let count = unsafe Self.size(of: unsafe layout)
        let source = unsafe UnsafeRawBufferPointer(start: layout, count: count)
        byteCount = count
        unsafe memory = .allocate(byteCount: count, alignment: MemoryLayout<AudioChannelLayout>.alignment)
        unsafe memory.copyMemory(from: layout, byteCount: count)
        channels = unsafe Self.channels(in: source)
        super.init()
    }

    deinit { unsafe memory.deallocate() }

    /// The bytes of a layout with all of its descriptions.
    private static func size(of layout: UnsafePointer<AudioChannelLayout>) -> Int {
        let descriptions =
            unsafe layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_UseChannelDescriptions
            ? Int(layout.pointee.mNumberChannelDescriptions) : 0
        return MemoryLayout<AudioChannelLayout>.size
            + max(0, descriptions - 1) * MemoryLayout<AudioChannelDescription>.stride
    }

    @unsafe private static func channels(in bytes: UnsafeRawBufferPointer) -> ChannelLayout {
        if let layout = unsafe try? ChannelLayout(copying: bytes) { return layout }
        let tag = unsafe bytes.loadUnaligned(as: AudioChannelLayoutTag.self)
        let count = Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
        return ChannelLayout(labels: Array(repeating: kAudioChannelLabel_Unknown, count: count))
    }

    /// The tag; `kAudioChannelLayoutTag_UseChannelDescriptions` or `…_UseChannelBitmap` if the layout has none.
    public var layoutTag: AudioChannelLayoutTag { unsafe layout.pointee.mChannelLayoutTag }

    /// The layout of C, which exists as long as this object.
    public var layout: UnsafePointer<AudioChannelLayout> {
        // SAFETY: the memory has at least the size of a layout, and its alignment.
        unsafe UnsafePointer(memory.assumingMemoryBound(to: AudioChannelLayout.self))
    }

    public var channelCount: AVAudioChannelCount { AVAudioChannelCount(channels.channels) }

    /// The bytes of ``layout``.
    var bytes: Data { unsafe Data(bytes: memory, count: byteCount) }

    /// Makes a layout of bytes that were stored; nil if they are no layout.
    convenience init?(bytes: Data) {
        let isWhole = unsafe bytes.withUnsafeBytes { unsafe (try? ChannelLayout(copying: $0)) != nil }
        guard isWhole else { return nil }
        // The bytes may be unaligned, and end after the header.
        var copy = [UInt32](
            repeating: 0, count: max(bytes.count, MemoryLayout<AudioChannelLayout>.size) / 4 + 1)
        _ = unsafe copy.withUnsafeMutableBytes { unsafe bytes.copyBytes(to: $0) }
        self.init(copying: copy)
    }

    private convenience init(copying words: [UInt32]) {
        // SAFETY: the words contain a whole layout.
        let pointer = UnsafeMutablePointer<UInt32>.allocate(capacity: words.count)
        unsafe pointer.initialize(from: words, count: words.count)
        defer { unsafe pointer.deallocate() }
        unsafe self.init(
            layout: UnsafeRawPointer(pointer).assumingMemoryBound(to: AudioChannelLayout.self))
    }

    // MARK: Equality and archives

    /// Whether another object is a layout with the same channels.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        return channels.labels == other.channels.labels
            && channels.descriptions == other.channels.descriptions
    }

    open override var hash: Int { channels.labels.hashValue }

    public static var supportsSecureCoding: Bool { true }

    private static let key = "layout"

    public func encode(with coder: NSCoder) { coder.encode(bytes as NSData, forKey: Self.key) }

    public required convenience init?(coder: NSCoder) {
        guard let bytes = coder.decodeObject(of: NSData.self, forKey: Self.key) else { return nil }
        self.init(bytes: bytes as Data)
    }
}
