// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The common fields of sound sample descriptions (ISO/IEC 14496-12, 12.2.3; QuickTime's versions 0 to 2), and the
/// boxes after them.
struct MP4SoundDescription {
    let type: FourCharacterCode
    /// The number of the track's data reference for the samples, from 1 on.
    let dataReference: Int
    let channels: Int
    let bits: Int
    /// The sampling rate; 0 if the field is too small for it.
    let sampleRate: Double
    /// The flags of linear PCM; nil except in version 2.
    let formatFlags: AudioFormatFlags?
    /// The size of a packet, in version 1 per channel, in version 2 for all channels; 0 if not stated.
    let bytesPerPacket: Int
    private let body: MP4Bytes
    private let boxesOffset: Int

    /// Reads the first description in a table; nil if it is incomplete.
    init?(_ stsd: MP4Bytes) {
        guard let entry = stsd.boxes(from: 8).first(where: { _ in true }),
            let reference = entry.contents.uint16(at: 6), let version = entry.contents.uint16(at: 8),
            let channels = entry.contents.uint16(at: 16), let bits = entry.contents.uint16(at: 18),
            let rate = entry.contents.uint32(at: 24)
        else { return nil }
        type = entry.type
        dataReference = Int(reference)
        body = entry.contents
        // QUIRK: version 1 has four further fields in QuickTime, but none in ISO files; the version of the table
        // distinguishes them.
        switch (version, stsd.uint8(at: 0)) {
        case (1, 0): (boxesOffset, bytesPerPacket) = (44, Int(body.uint32(at: 32) ?? 0))
        case (2, _): (boxesOffset, bytesPerPacket) = (64, Int(body.uint32(at: 56) ?? 0))
        default: (boxesOffset, bytesPerPacket) = (28, 0)
        }
        guard version == 2 else {
            (self.channels, self.bits) = (Int(channels), Int(bits))
            sampleRate = Double(rate) / 65536
            formatFlags = nil
            return
        }
        guard let long = body.uint64(at: 32), let many = body.uint32(at: 40), let deep = body.uint32(at: 48),
            let flags = body.uint32(at: 52)
        else { return nil }
        sampleRate = Double(bitPattern: long)
        self.channels = Int(many)
        self.bits = Int(deep)
        formatFlags = flags
    }

    /// The contents of a box after the fields, or inside QuickTime's 'wave' box; nil if there is none.
    func box(_ type: StaticString) -> MP4Bytes? {
        // Some writers omit the fields of their version, so boxes may directly follow the common fields.
        for offset in [boxesOffset, 28] {
            if let direct = body.box(type, from: offset) { return direct }
            if let inner = body.box("wave", from: offset)?.box(type) { return inner }
        }
        return nil
    }

    /// Whether samples are little-endian, as a QuickTime box declares.
    var isLittleEndian: Bool { (box("enda")?.uint16(at: 0) ?? 0) & 1 == 1 }

    /// The channel labels from a QuickTime box; nil if there is none or it is invalid.
    var channelLabels: [AudioChannelLabel]? {
        guard let chan = box("chan"), let tag = chan.uint32(at: 4) else { return nil }
        let layout: ChannelLayout?
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions:
            let entries = chan.entries(claimed: chan.uint32(at: 12), of: 20, from: 16)
            layout = ChannelLayout(
                labels: (0..<min(entries, AudioStreamBasicDescription.maximumChannels)).map {
                    chan.uint32(at: 16 + 20 * $0) ?? kAudioChannelLabel_Unknown
                })
        case kAudioChannelLayoutTag_UseChannelBitmap:
            layout = ChannelLayout(bitmap: AudioChannelBitmap(rawValue: chan.uint32(at: 8) ?? 0))
        default: layout = try? ChannelLayout(tag: tag)
        }
        return layout?.labels
    }
}
