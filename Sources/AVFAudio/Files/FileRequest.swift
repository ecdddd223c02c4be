// SPDX-License-Identifier: MIT

import AQFiles
import AudioToolbox
import CoreAudioTypes
import Foundation

/// A file to be written: its type, its format, and the settings of its encoder.
struct FileRequest {
    let url: URL
    let fileType: AudioFileTypeID
    let format: AVAudioFormat
    let settings: AudioSettings

    /// - Parameter defaults: The sample rate and the channels to use if the settings have none; nil if they must have them.
    /// - Throws: As ``AVAudioFile/init(forWriting:settings:)``.
    init(
        _ url: URL, _ settings: [String: Any], defaults: (sampleRate: Double, channels: Int)? = nil
    ) throws {
        let name = url.lastPathComponent
        func refusal(_ reason: String) -> NSError {
            AVAudioFailure.error(kAudioFormatUnsupportedDataFormatError, "cannot create '\(name)': \(reason)")
        }
        guard let settings = AudioSettings(settings) else { throw refusal("a setting has the wrong type") }
        let kind = AudioFileType.forPathExtension(url.pathExtension)
        let usualRate = defaults.map { defaults in
            settings.formatID == kAudioFormatOpus
                ? AudioFileType.oggOpus.storedSampleRate(of: defaults.sampleRate) : defaults.sampleRate
        }
        guard let sampleRate = settings.sampleRate ?? usualRate, sampleRate > 0 else {
            throw refusal("the settings have no sample rate")
        }
        guard
            let channels = settings.channels ?? settings.layout.map({ Int($0.channelCount) })
                ?? defaults?.channels, (1...SampleLimit.channels).contains(channels)
        else { throw refusal("the settings have no number of channels") }
        let layout = settings.layout ?? ChannelOrder.usual(channels: channels)
        guard layout.map({ Int($0.channelCount) == channels }) ?? true else {
            throw refusal("the layout has another number of channels")
        }
        guard let fileType = settings.fileType ?? kind?.fourCharacterCode.rawValue else {
            throw AVAudioFailure.error(
                kAudioFileUnsupportedFileTypeError, "cannot create '\(name)': unknown file type")
        }
        var asbd: AudioStreamBasicDescription
        let formatID = settings.formatID ?? kAudioFormatLinearPCM
        if formatID == kAudioFormatLinearPCM {
            var stored = settings
            stored.isNonInterleaved = false
            // AIFF has only big-endian samples, and RIFF only little-endian ones.
            if settings.isBigEndian == nil, fileType == kAudioFileAIFFType { stored.isBigEndian = true }
            guard let pcm = stored.linearPCM(sampleRate: sampleRate, channels: channels) else {
                throw refusal("no such linear PCM")
            }
            guard !pcm.isFloat || pcm.mBitsPerChannel > 16 else {
                throw refusal("no file contains floating-point samples of 16 bits")
            }
            asbd = Self.adapted(pcm, to: fileType)
        } else {
            asbd = .encoded(formatID, framesPerPacket: 0, channels: channels, sampleRate: sampleRate)
            if [kAudioFormatAppleLossless, kAudioFormatFLAC].contains(formatID),
                let bits = settings.bitDepthHint
            {
                asbd.mFormatFlags = Self.losslessFlags(bits: bits)
            }
        }
        guard let format = unsafe AVAudioFormat(streamDescription: &asbd, channelLayout: layout) else {
            throw refusal("no layout for \(channels) channels")
        }
        (self.url, self.fileType, self.format, self.settings) = (url, fileType, format, settings)
    }

    private enum SampleLimit { static let channels = AudioStreamBasicDescription.maximumChannels }

    /// Linear PCM as a type of file stores it: clients set the byte order without regard to the type.
    private static func adapted(
        _ pcm: AudioStreamBasicDescription, to fileType: AudioFileTypeID
    ) -> AudioStreamBasicDescription {
        var asbd = pcm
        switch fileType {
        case kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type:
            asbd.mFormatFlags &= ~kAudioFormatFlagIsBigEndian
            // Samples of 8 bits have an offset in RIFF.
            if asbd.mBitsPerChannel == 8 { asbd.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger }
        case kAudioFileAIFFType:
            asbd.mFormatFlags |= kAudioFormatFlagIsBigEndian
        case kAudioFileAIFCType where asbd.isFloat:
            asbd.mFormatFlags |= kAudioFormatFlagIsBigEndian
        default: break
        }
        return asbd
    }

    private static func losslessFlags(bits: Int) -> AudioFormatFlags {
        switch bits {
        case ...16: kAppleLosslessFormatFlag_16BitSourceData
        case ...20: kAppleLosslessFormatFlag_20BitSourceData
        case ...24: kAppleLosslessFormatFlag_24BitSourceData
        default: kAppleLosslessFormatFlag_32BitSourceData
        }
    }
}
