// SPDX-License-Identifier: MIT

public import AudioToolbox
import CoreAudioTypes
public import CoreMedia
public import Foundation
import Synchronization

/// A format of audio, as an object. Only ``magicCookie`` changes.
///
/// A format of more than two channels needs a layout: without one, initialisers that can fail return nil.
@safe open class AVAudioFormat: NSObject, NSSecureCoding, @unchecked Sendable {
    // SAFETY: the memory is allocated by the initialiser, never written again, and freed by deinit.

    private let memory: UnsafeMutablePointer<AudioStreamBasicDescription>
    public let channelLayout: AVAudioChannelLayout?
    private let cookie = Mutex<Data?>(nil)

    private init(_ asbd: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: asbd)
        channelLayout = layout
        super.init()
    }

    deinit { unsafe memory.deallocate() }

    /// Makes a format without checks, for buses that do not exist.
    convenience init(unchecked asbd: AudioStreamBasicDescription) { self.init(asbd, nil) }

    // MARK: Initialisers

    /// Makes a format with nothing in it, to be replaced. No audio has it.
    public convenience override init() { self.init(AudioStreamBasicDescription(), nil) }

    /// Makes a format of a description; nil for more than two channels.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        unsafe self.init(streamDescription: asbd, channelLayout: nil)
    }

    /// Makes a format of a description; nil for more than two channels without a layout, and if the layout has another
    /// number of channels.
    public convenience init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
        channelLayout layout: AVAudioChannelLayout?
    ) {
        self.init(checked: unsafe asbd.pointee, layout)
    }

    /// Makes a format of 32-bit floats with a buffer for each channel; nil for more than two channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(
            checked: Self.description(.pcmFormatFloat32, sampleRate, Int(channels), isInterleaved: false), nil
        )
    }

    /// Makes a format of 32-bit floats with a buffer for each channel.
    public convenience init(
        standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
    ) {
        self.init(
            Self.description(.pcmFormatFloat32, sampleRate, Int(layout.channelCount), isInterleaved: false),
            layout)
    }

    /// Makes a format of samples that buffers can be accessed in; nil for ``AVAudioCommonFormat/otherFormat`` and more
    /// than two channels.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
        interleaved: Bool
    ) {
        guard format != .otherFormat else { return nil }
        self.init(
            checked: Self.description(format, sampleRate, Int(channels), isInterleaved: interleaved), nil)
    }

    /// Makes a format of samples that buffers can be accessed in. ``AVAudioCommonFormat/otherFormat`` counts as 32-bit
    /// floats.
    public convenience init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) {
        self.init(
            Self.description(format, sampleRate, Int(layout.channelCount), isInterleaved: interleaved), layout
        )
    }

    /// Makes the format that settings describe. Keys of encoders are ignored.
    ///
    /// Nil if the sample rate, the format or the number of channels is missing, a value has the wrong type, linear PCM
    /// has a bit depth that does not exist, or a layout is missing or does not have the channels.
    public convenience init?(settings: [String: Any]) {
        guard let settings = AudioSettings(settings), let sampleRate = settings.sampleRate,
            let formatID = settings.formatID,
            let channels = settings.channels ?? settings.layout.map({ Int($0.channelCount) }),
            (0...Int(UInt32.max)).contains(channels)
        else { return nil }
        guard formatID == kAudioFormatLinearPCM else {
            var asbd = AudioStreamBasicDescription()
            (asbd.mFormatID, asbd.mSampleRate) = (formatID, sampleRate)
            asbd.mChannelsPerFrame = UInt32(channels)
            self.init(checked: asbd, settings.layout)
            return
        }
        guard let asbd = settings.linearPCM(sampleRate: sampleRate, channels: channels) else { return nil }
        self.init(checked: asbd, settings.layout)
    }

    /// Makes the format of a description of audio.
    public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
        let asbd = unsafe CMAudioFormatDescriptionGetStreamBasicDescription(formatDescription)
        var size = 0
        let layout = unsafe CMAudioFormatDescriptionGetChannelLayout(formatDescription, sizeOut: &size)
        self.init(
            unsafe asbd?.pointee ?? AudioStreamBasicDescription(),
            unsafe size > 0 ? layout.map { unsafe AVAudioChannelLayout(layout: $0) } : nil)
        var cookieSize = 0
        if let bytes = unsafe CMAudioFormatDescriptionGetMagicCookie(formatDescription, sizeOut: &cookieSize)
        {
            magicCookie = unsafe Data(bytes: bytes, count: cookieSize)
        }
    }

    /// Nil if the channels need another layout.
    private convenience init?(checked asbd: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        let channels = asbd.mChannelsPerFrame
        guard layout.map({ $0.channelCount == channels }) ?? (channels <= 2) else { return nil }
        self.init(asbd, layout)
    }

    private static func description(
        _ format: AVAudioCommonFormat, _ sampleRate: Double, _ channels: Int, isInterleaved: Bool
    ) -> AudioStreamBasicDescription {
        switch format {
        case .otherFormat, .pcmFormatFloat32:
            .float(isInterleaved: isInterleaved, channels: channels, sampleRate: sampleRate)
        case .pcmFormatFloat64:
            .float(bits: 64, isInterleaved: isInterleaved, channels: channels, sampleRate: sampleRate)
        case .pcmFormatInt16:
            .signedInteger(bits: 16, isInterleaved: isInterleaved, channels: channels, sampleRate: sampleRate)
        case .pcmFormatInt32:
            .signedInteger(bits: 32, isInterleaved: isInterleaved, channels: channels, sampleRate: sampleRate)
        }
    }

    // MARK: Facts

    /// The description of C, which exists as long as this object.
    public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { unsafe UnsafePointer(memory) }

    /// The description as a value.
    var asbd: AudioStreamBasicDescription { unsafe memory.pointee }

    public var sampleRate: Double { asbd.mSampleRate }
    public var channelCount: AVAudioChannelCount { asbd.mChannelsPerFrame }

    /// Whether all channels are in one buffer. Undefined for encoded formats.
    public var isInterleaved: Bool { asbd.isInterleaved }

    /// Whether the samples are 32-bit floats with a buffer for each channel.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    /// How samples can be accessed in a buffer of this format.
    public var commonFormat: AVAudioCommonFormat {
        let asbd = asbd
        guard asbd.isLinearPCM, asbd.isNativeEndian, asbd.isPacked else { return .otherFormat }
        switch (asbd.isFloat, asbd.mBitsPerChannel) {
        case (true, 32): return .pcmFormatFloat32
        case (true, 64): return .pcmFormatFloat64
        case (false, 16) where asbd.isSignedInteger && asbd.fractionBits == 0: return .pcmFormatInt16
        case (false, 32) where asbd.isSignedInteger && asbd.fractionBits == 0: return .pcmFormatInt32
        default: return .otherFormat
        }
    }

    /// The decoder configuration of an encoded format.
    public var magicCookie: Data? {
        get { cookie.withLock { $0 } }
        set { cookie.withLock { $0 = newValue } }
    }

    /// The format as a description for sample buffers.
    public var formatDescription: CMAudioFormatDescription {
        let layout = channelLayout?.bytes ?? Data()
        let cookie = magicCookie ?? Data()
        var made: CMAudioFormatDescription?
        unsafe layout.withUnsafeBytes { layout in
            unsafe cookie.withUnsafeBytes { cookie in
                _ = unsafe CMAudioFormatDescriptionCreate(
                    allocator: nil, asbd: memory, layoutSize: layout.count,
                    layout: layout.baseAddress?.assumingMemoryBound(to: AudioChannelLayout.self),
                    magicCookieSize: cookie.count, magicCookie: cookie.baseAddress, extensions: nil,
                    formatDescriptionOut: &made)
            }
        }
        guard let made else { fatalError("no memory for a format description") }
        return made
    }

    /// The format as settings, with which files can be written in it.
    open var settings: [String: Any] { makeSettings() }

    // MARK: Equality

    /// Whether another object is the same format. For one channel, whether it is interleaved does not matter; a layout
    /// of mono or stereo equals none.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return other === self || isSame(as: other)
    }

    open override var hash: Int { essentialHash }

    open override var description: String {
        "<AVAudioFormat \(ObjectIdentifier(self).address):  \(summary)>"
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    private enum Key {
        static let description = "description"
        static let layout = "layout"
        static let cookie = "cookie"
    }

    public func encode(with coder: NSCoder) {
        let bytes = unsafe Data(bytes: memory, count: MemoryLayout<AudioStreamBasicDescription>.size)
        coder.encode(bytes as NSData, forKey: Key.description)
        coder.encode(channelLayout, forKey: Key.layout)
        coder.encode(magicCookie.map { $0 as NSData }, forKey: Key.cookie)
    }

    public required convenience init?(coder: NSCoder) {
        guard let bytes = coder.decodeObject(of: NSData.self, forKey: Key.description),
            bytes.length == MemoryLayout<AudioStreamBasicDescription>.size
        else { return nil }
        let asbd = unsafe (bytes as Data).withUnsafeBytes {
            unsafe $0.loadUnaligned(as: AudioStreamBasicDescription.self)
        }
        self.init(checked: asbd, coder.decodeObject(of: AVAudioChannelLayout.self, forKey: Key.layout))
        magicCookie = coder.decodeObject(of: NSData.self, forKey: Key.cookie).map { $0 as Data }
    }
}
