import AudioFiles
import CoreAudioTypes
import ToolSupport

/// The keys of `--json`, which `--help` documents.
extension FileFacts {
    /// The fields of the object, without its braces, so that others can be added.
    var jsonFields: String {
        var json = JSONWriter()
        json.object { json in write(to: &json) }
        return String(json.text.dropFirst().dropLast())
    }

    /// The object's fields for a file that could not be read.
    static func jsonFields(path: FilePath, error: String) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", path: path)
            json.key("error")
            json.value(error)
        }
        return String(json.text.dropFirst().dropLast())
    }

    private func write(to json: inout JSONWriter) {
        json.field("file", path: path)
        json.key("error")
        json.null()
        json.field("bytes", optional: fileBytes)
        json.field("container", container)
        json.field("codec", codec)
        writeFormat(to: &json)
        json.key("layout")
        if let name = LayoutNames.layoutName(of: labels) { json.value(name) } else { json.null() }
        json.key("labels")
        json.array { json in for label in labels { json.value(LayoutNames.name(of: label)) } }
        json.field("packets", optional: packets)
        json.field("packetBytesBound", optional: packetBytesBound)
        json.field("largestPacketBytes", optional: largestPacketBytes)
        json.field("frames", optional: frames)
        json.field("primingFrames", optional: table?.primingFrames)
        json.field("remainderFrames", optional: table?.remainderFrames)
        json.field("seconds", seconds ?? .nan, decimals: 6)
        json.field("bitRate", bitRate > 0 ? bitRate : .nan, decimals: 0)
        json.field("dataOffset", optional: dataRange?.lowerBound)
        json.field("dataBytes", optional: dataRange.map { $0.upperBound - $0.lowerBound })
        writeCookie(to: &json)
        writeInformation(to: &json)
        writeArtwork(to: &json)
        json.key("markers")
        json.array { json in for marker in markers { Self.write(marker, to: &json) } }
        writeRegions(to: &json)
        writeChunks(to: &json)
        json.key("warnings")
        json.array { json in for warning in warnings { json.value(warning) } }
        json.key("damage")
        json.array { json in for line in damage { json.value(line) } }
        writeCheck(to: &json)
    }

    private func writeFormat(to json: inout JSONWriter) {
        json.key("format")
        json.object { json in
            json.field("id", Self.plain(FourCharacterCode(rawValue: format.mFormatID)))
            json.field("flags", optional: format.mFormatFlags)
            json.field(
                "sampleRate", format.mSampleRate,
                decimals: format.mSampleRate == format.mSampleRate.rounded() ? 0 : 3)
            json.field("channels", optional: format.mChannelsPerFrame)
            json.field("bitsPerChannel", optional: format.mBitsPerChannel)
            json.field("bytesPerFrame", optional: format.mBytesPerFrame)
            json.field("bytesPerPacket", optional: format.mBytesPerPacket)
            json.field("framesPerPacket", optional: format.mFramesPerPacket)
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
                case .number(let number): json.field(field.key, optional: number)
                case .text(let text): json.field(field.key, text)
                }
            }
            if let problem = facts.problem { json.field("problem", problem) }
        }
    }

    /// Tags with the same key are lines of one value: an object has each key once.
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
            json.field("bytes", optional: artwork.bytes.count)
            json.field("width", optional: size?.width)
            json.field("height", optional: size?.height)
        }
    }

    private static func write(_ marker: AudioFileMarker, to json: inout JSONWriter) {
        json.object { json in
            json.field("frame", marker.framePosition, decimals: 3)
            json.field("name", marker.name)
            json.field("id", optional: marker.identifier)
            json.key("type")
            if marker.type == 0 {
                json.null()
            } else {
                json.value(plain(FourCharacterCode(rawValue: marker.type)))
            }
            json.field("channel", optional: marker.channel)
        }
    }

    private func writeRegions(to json: inout JSONWriter) {
        json.key("regions")
        json.array { json in
            for region in regions {
                json.object { json in
                    json.field("id", optional: region.identifier)
                    json.field("name", region.name)
                    json.field("flags", optional: region.flags)
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
                    json.field("offset", optional: chunk.offset)
                    json.field("bytes", optional: chunk.byteCount)
                    json.field("depth", optional: chunk.depth)
                }
            }
        }
    }

    private func writeCheck(to json: inout JSONWriter) {
        guard let check else { return }
        json.key("check")
        json.object { json in
            json.key("intact")
            json.value(isIntact == true)
            json.field("frames", optional: check.frames)
            json.field("damagedPackets", optional: check.damagedPackets)
            // Silence has no decibels.
            json.field(
                "peakDecibels", check.peak > 0 ? Double(GainParser.decibels(check.peak)) : .nan, decimals: 2)
            json.key("fault")
            if let fault = check.fault { json.value(fault) } else { json.null() }
        }
    }

    /// A code without its quotes.
    private static func plain(_ code: FourCharacterCode) -> String {
        code.isPrintable ? String(code.description.dropFirst().dropLast()) : code.description
    }
}

extension JSONWriter {
    fileprivate mutating func field(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    fileprivate mutating func field(_ name: String, optional number: (some BinaryInteger)?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    fileprivate mutating func field(_ name: String, _ number: Double, decimals: Int) {
        key(name)
        value(number, decimals: decimals)
    }
}
