// SPDX-License-Identifier: MIT

/// The variants and audio renditions of a stream (RFC 8216, 4.3.4).
package struct HLSMasterPlaylist: Equatable, Sendable {
    /// The stream at one bit rate.
    package struct Variant: Equatable, Sendable {
        /// The URL reference of the media playlist, relative to this one. ``RemoteAddress/resolved(_:)`` checks it.
        package var reference: String
        /// The peak bit rate in bits per second; 0 if it is not stated.
        package var bandwidth: Int64
        /// The codecs, such as "mp4a.40.2"; empty if they are not stated.
        package var codecs: [String]
        /// The group of audio renditions that belong to the variant.
        package var audioGroup: String?
        /// Whether a resolution, frame rate or group of video renditions is stated.
        package var statesVideo: Bool
    }

    /// Audio of its own, such as another language (EXT-X-MEDIA).
    package struct AudioRendition: Equatable, Sendable {
        package var group: String
        package var name: String?
        package var language: String?
        /// The URL reference of the media playlist; nil if the audio is within the variants.
        package var reference: String?
        package var isDefault: Bool
        package var isAutomatic: Bool
    }

    package private(set) var variants: [Variant] = []
    package private(set) var audioRenditions: [AudioRendition] = []

    /// The number of variants, and of renditions, that are kept. Further ones are skipped.
    package static let mostVariants = 1000

    init(_ bytes: [UInt8]) {
        var variant: Variant?
        for (number, line) in TextLines(bytes[...]) {
            switch HLSLine(line) {
            case .tag("EXT-X-STREAM-INF", let value):
                variant = Self.variant(HLSAttributes(value), line: number)
            case .tag("EXT-X-MEDIA", let value): append(HLSAttributes(value))
            case .reference(let reference):
                if var named = variant, let reference, variants.count < Self.mostVariants {
                    named.reference = reference
                    variants.append(named)
                }
                variant = nil
            case .tag, .other: break
            }
        }
    }

    private static func variant(_ attributes: HLSAttributes, line: Int) -> Variant {
        let codecs = attributes.text("CODECS") ?? ""
        let bandwidth = attributes["BANDWIDTH"].flatMap { try? HLSNumber.integer($0, line: line) }
        return Variant(
            reference: "", bandwidth: bandwidth ?? 0,
            codecs: codecs.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty },
            audioGroup: attributes.text("AUDIO"),
            statesVideo: ["RESOLUTION", "FRAME-RATE", "VIDEO"].contains { attributes[$0] != nil })
    }

    private mutating func append(_ attributes: HLSAttributes) {
        guard attributes["TYPE"]?.elementsEqual("AUDIO".utf8) == true,
            let group = attributes.text("GROUP-ID"),
            audioRenditions.count < Self.mostVariants
        else { return }
        audioRenditions.append(
            AudioRendition(
                group: group, name: attributes.text("NAME"), language: attributes.text("LANGUAGE"),
                reference: attributes.reference("URI"), isDefault: attributes.isYes("DEFAULT"),
                isAutomatic: attributes.isYes("AUTOSELECT")))
    }
}
