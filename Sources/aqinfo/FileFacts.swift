// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import Glibc

/// All reported facts about a file.
struct FileFacts {
    /// The result of decoding the whole file.
    struct Check: Equatable {
        var frames: Int64
        var damagedPackets: Int
        /// The largest sample, linear.
        var peak: Float
        /// A fault in addition to the warnings; nil for none.
        var fault: String?
        /// Whether the audio was not decoded, because there is no decoder for it. ``fault`` is then the reason.
        var isMissingDecoder = false
    }

    /// The result of a check.
    enum Verdict {
        case intact, damaged
        /// There is no decoder for the audio, which may be intact.
        case unchecked
    }

    /// The path as given.
    var path: FilePath
    /// The size of the file; nil if it is not a regular file.
    var fileBytes: Int64?
    var container: String
    /// The codec in the file.
    var codec: String
    /// Whether ``format`` is that of the decoded samples instead of the codec.
    var isDecoded: Bool
    var format: AudioStreamBasicDescription
    var labels: [AudioChannelLabel]
    var packets: Int64?
    var table: PacketTable?
    /// The number of valid frames; nil if unknown.
    var frames: Int64?
    /// The average bit rate in bits per second; 0 if unknown.
    var bitRate: Double
    var packetBytesBound: Int
    var largestPacketBytes: Int?
    var dataRange: Range<Int64>?
    var cookie: [UInt8]
    var chunks: [AudioFileChunk]
    var information: [AudioFileInformation]
    var artwork: AudioFileArtwork?
    var markers: [AudioFileMarker]
    var regions: [AudioFileRegion]
    /// The problems, without the results of the check.
    var problems: [AudioFileProblem]
    var check: Check?
    /// The measured loudness; nil if it was not measured.
    var loudness: Loudness?

    /// - Parameter scan: The result of reading the whole file, if it was read.
    init(_ file: AudioFile, scan: FileScan.Result?, isCheck: Bool) {
        path = file.path
        fileBytes = Self.byteCount(ofFile: file.path)
        (container, format, labels) = (file.containerName, file.format, file.channelLabels)
        (codec, isDecoded) = (file.decodedCodec ?? file.format.codecName, file.decodedCodec != nil)
        // A complete scan has counted the existing packets; without one, the counts in the file are used.
        let whole = scan.flatMap { $0.isCut || $0.failure != nil ? nil : $0 }
        var countFault: String?
        do throws(AudioFileError) {
            if let whole {
                packets = whole.packets
            } else if file.isSeekable {
                packets = try file.countPackets()
            }
        } catch {
            countFault = error.message
        }
        table = file.packetTable
        frames = table?.validFrames ?? whole?.frames
        bitRate = file.averageBitRate
        packetBytesBound = file.packetSizeUpperBound
        largestPacketBytes =
            format.hasConstantPacketSize
            ? Int(format.mBytesPerPacket) : whole.map(\.largestPacketBytes)
        if bitRate <= 0, let whole, whole.frames > 0 {
            bitRate = Double(whole.bytes) * 8 * format.mSampleRate / Double(whole.frames)
        }
        (dataRange, cookie, chunks) = (file.dataRange, file.magicCookie, file.chunks)
        (information, markers, regions) = (file.information, file.markers, file.regions)
        artwork = file.artwork
        problems = file.problems
        if let countFault { problems.append(AudioFileProblem(.damage, countFault)) }
        if isCheck, let scan { check = Self.check(scan, table: table) }
        if check == nil, let failure = scan?.failure {
            problems.append(AudioFileProblem(.damage, failure))
        }
    }

    private static func check(_ scan: FileScan.Result, table: PacketTable?) -> Check {
        var check = Check(
            frames: scan.audioFrames ?? 0, damagedPackets: scan.damagedPackets, peak: scan.peak,
            fault: scan.failure, isMissingDecoder: scan.missingDecoder != nil)
        if scan.missingDecoder != nil { return check }
        if check.fault == nil, let table, check.frames < table.validFrames {
            check.fault = "the audio ends at frame \(check.frames) of \(table.validFrames)"
        }
        if check.fault == nil, check.damagedPackets == 0, scan.hasOtherSamples {
            check.fault = "the samples do not match the MD5 checksum in the file"
        }
        return check
    }

    /// The messages of ``problems``.
    var warnings: [String] { problems.map(\.message) }

    /// The messages of problems that affect the audio.
    var damage: [String] { problems.filter { $0.grade == .damage }.map(\.message) }

    /// The result of the check; nil if none was requested. Damage is known also without a decoder.
    var verdict: Verdict? {
        guard let check else { return nil }
        guard damage.isEmpty else { return .damaged }
        if check.isMissingDecoder { return .unchecked }
        return check.fault == nil && check.damagedPackets == 0 ? .intact : .damaged
    }

    /// The duration in seconds; nil if the frames or the rate are unknown.
    var seconds: Double? {
        guard let frames, format.mSampleRate > 0 else { return nil }
        return Double(frames) / format.mSampleRate
    }

    private static func byteCount(ofFile path: FilePath) -> Int64? {
        var status = stat()
        // SAFETY: both calls fill a local; the path is only read.
        let failure = unsafe path == "-" ? fstat(0, &status) : stat(path.cString, &status)
        guard failure == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}

extension AudioStreamBasicDescription {
    /// The codec without its details: "PCM", "MPEG layer 3".
    var codecName: String { isLinearPCM ? "PCM" : encodingSummary }
}
