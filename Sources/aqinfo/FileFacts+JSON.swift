// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQToolSupport

/// The keys of `--json`, which `--help` documents.
extension FileFacts {
    /// The fields of the object, without its braces, so that others can be added.
    var jsonFields: String {
        var json = JSONWriter()
        json.object { json in write(to: &json) }
        return String(json.text.dropFirst().dropLast())
    }

    /// Returns the object's fields for a file that could not be read.
    static func jsonFields(path: FilePath, error: String) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", path: path)
            json.field("error", error)
        }
        return String(json.text.dropFirst().dropLast())
    }

    private func write(to json: inout JSONWriter) {
        json.field("file", path: path)
        json.key("error")
        json.null()
        json.field("bytes", fileBytes)
        json.field("container", container)
        json.field("codec", codec)
        writeFormat(to: &json)
        json.field("layout", LayoutNames.layoutName(of: labels))
        json.key("labels")
        json.array { json in for label in labels { json.value(LayoutNames.name(of: label)) } }
        json.field("packets", packets)
        json.field("packetBytesBound", packetBytesBound)
        json.field("largestPacketBytes", largestPacketBytes)
        json.field("frames", frames)
        json.field("primingFrames", table?.primingFrames)
        json.field("remainderFrames", table?.remainderFrames)
        json.field("seconds", seconds ?? .nan, decimals: 6)
        json.field("bitRate", bitRate > 0 ? bitRate : .nan, decimals: 0)
        json.field("dataOffset", dataRange?.lowerBound)
        json.field("dataBytes", dataRange.map { $0.upperBound - $0.lowerBound })
        writeCookie(to: &json)
        writeInformation(to: &json)
        writeArtwork(to: &json)
        json.key("markers")
        json.array { json in for marker in markers { Self.write(marker, to: &json) } }
        writeRegions(to: &json)
        writeChunks(to: &json)
        json.field("warnings", warnings)
        json.field("damage", damage)
        if let loudness {
            json.key("loudness")
            loudness.write(to: &json)
        }
        writeCheck(to: &json)
    }

    private func writeFormat(to json: inout JSONWriter) {
        json.key("format")
        json.object { json in
            json.field("id", Self.plain(FourCharacterCode(rawValue: format.mFormatID)))
            json.field("flags", format.mFormatFlags)
            json.field(
                "sampleRate", format.mSampleRate,
                decimals: format.mSampleRate == format.mSampleRate.rounded() ? 0 : 3)
            json.field("channels", format.mChannelsPerFrame)
            json.field("bitsPerChannel", format.mBitsPerChannel)
            json.field("bytesPerFrame", format.mBytesPerFrame)
            json.field("bytesPerPacket", format.mBytesPerPacket)
            json.field("framesPerPacket", format.mFramesPerPacket)
            json.field("encoding", format.encodingSummary)
        }
    }

    private func writeCookie(to json: inout JSONWriter) {
        json.key("magicCookie")
        guard !cookie.isEmpty else {
            json.null()
            json.key("cookieFields")
            json.null()
            return
        }
        json.value(Hexadecimal.text(cookie))
        json.key("cookieFields")
        let facts = CookieFacts(cookie: cookie, formatID: format.mFormatID)
        json.object { json in
            for field in facts.fields {
                switch field.value {
                case .number(let number): json.field(field.key, number)
                case .text(let text): json.field(field.key, text)
                }
            }
            if let problem = facts.problem { json.field("problem", problem) }
        }
    }

    /// Writes the tags. Those with the same key become lines of one value, because an object has each key only once.
    private func writeInformation(to json: inout JSONWriter) {
        var values: [String: String] = [:]
        var keys: [String] = []
        for entry in information {
            if let earlier = values[entry.key] {
                values[entry.key] = "\(earlier)\n\(entry.value)"
            } else {
                keys.append(entry.key)
                values[entry.key] = entry.value
            }
        }
        json.key("information")
        json.object { json in for key in keys { json.field(key, values[key] ?? "") } }
    }

    private func writeArtwork(to json: inout JSONWriter) {
        json.key("artwork")
        guard let artwork else { return json.null() }
        let size = artwork.pixelSize
        json.object { json in
            json.field("type", artwork.mimeType)
            json.field("bytes", artwork.bytes.count)
            json.field("width", size?.width)
            json.field("height", size?.height)
        }
    }

    private static func write(_ marker: AudioFileMarker, to json: inout JSONWriter) {
        json.object { json in
            json.field("frame", marker.framePosition, decimals: 3)
            json.field("name", marker.name)
            json.field("id", marker.identifier)
            json.key("type")
            if marker.type == 0 {
                json.null()
            } else {
                json.value(plain(FourCharacterCode(rawValue: marker.type)))
            }
            json.field("channel", marker.channel)
        }
    }

    private func writeRegions(to json: inout JSONWriter) {
        json.key("regions")
        json.array { json in
            for region in regions {
                json.object { json in
                    json.field("id", region.identifier)
                    json.field("name", region.name)
                    json.field("flags", region.flags)
                    json.key("markers")
                    json.array { json in for marker in region.markers { Self.write(marker, to: &json) } }
                }
            }
        }
    }

    private func writeChunks(to json: inout JSONWriter) {
        json.key("chunks")
        json.array { json in
            for chunk in chunks {
                json.object { json in
                    json.field("type", Self.plain(chunk.type))
                    json.field("offset", chunk.offset)
                    json.field("bytes", chunk.byteCount)
                    json.field("depth", chunk.depth)
                }
            }
        }
    }

    private func writeCheck(to json: inout JSONWriter) {
        guard let check else { return }
        json.key("check")
        json.object { json in
            if verdict == .unchecked {
                json.key("intact")
                json.null()
            } else {
                json.field("intact", verdict == .intact)
            }
            json.field("frames", check.isMissingDecoder ? nil : check.frames)
            json.field("damagedPackets", check.isMissingDecoder ? nil : check.damagedPackets)
            // Silence has no decibels.
            json.field(
                "peakDecibels", check.peak > 0 ? Double(GainParser.decibels(check.peak)) : .nan, decimals: 2)
            json.field("fault", check.fault)
        }
    }

    /// Returns a code without its quotes.
    private static func plain(_ code: FourCharacterCode) -> String {
        code.isPrintable ? String(code.description.dropFirst().dropLast()) : code.description
    }
}
