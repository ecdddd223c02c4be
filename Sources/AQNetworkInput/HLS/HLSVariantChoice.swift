// SPDX-License-Identifier: MIT

/// A media playlist that can be played, chosen from those of a master playlist.
package struct HLSVariantChoice: Equatable, Sendable {
    package enum Source: Sendable {
        /// A variant without video.
        case audioVariant
        /// An audio rendition of a variant with video.
        case rendition
        /// A variant with video, from which the audio is taken.
        case videoVariant
    }

    package var source: Source
    /// The URL reference of the media playlist, relative to the master playlist.
    package var reference: String
    /// The peak bit rate of the variant in bits per second; 0 if it is not stated.
    package var bandwidth: Int64

    /// The media playlists that can be played, the best first.
    ///
    /// Variants of audio alone come first, by falling bit rate: those that state their codecs, then those that state
    /// neither codecs nor video. Audio renditions follow, the default ones first, then variants with video by rising bit
    /// rate.
    ///
    /// - Parameter isPlayable: Returns whether an audio codec can be played, by its name in the playlist.
    package static func all(
        in playlist: HLSMasterPlaylist, isPlayable: (String) -> Bool = HLSCodec.isPlayable
    ) -> [HLSVariantChoice] {
        var (stated, assumed, video): ([HLSVariantChoice], [HLSVariantChoice], [HLSVariantChoice]) = (
            [], [], []
        )
        var groups: [(name: String, bandwidth: Int64)] = []
        for variant in playlist.variants {
            let audio = variant.codecs.filter(HLSCodec.isAudio)
            guard audio.allSatisfy(isPlayable) else { continue }
            let hasVideo = variant.statesVideo || audio.count < variant.codecs.count
            var choice = HLSVariantChoice(
                source: .audioVariant, reference: variant.reference, bandwidth: variant.bandwidth)
            if hasVideo {
                choice.source = .videoVariant
                if !audio.isEmpty || variant.codecs.isEmpty { video.append(choice) }
            } else if audio.isEmpty {
                assumed.append(choice)
            } else {
                stated.append(choice)
            }
            if let group = variant.audioGroup { groups.append((group, variant.bandwidth)) }
        }
        stated.sort { $0.bandwidth > $1.bandwidth }
        assumed.sort { $0.bandwidth > $1.bandwidth }
        groups.sort { $0.bandwidth > $1.bandwidth }
        video.sort { $0.bandwidth < $1.bandwidth }
        var seen: Set<String> = []
        return (stated + assumed + renditions(of: groups, in: playlist) + video).filter {
            seen.insert($0.reference).inserted
        }
    }

    private static func renditions(
        of groups: [(name: String, bandwidth: Int64)], in playlist: HLSMasterPlaylist
    ) -> [HLSVariantChoice] {
        // Renditions without a variant have unknown codecs.
        var groups = groups
        if playlist.variants.isEmpty { groups = playlist.audioRenditions.map { ($0.group, 0) } }
        let byGroup = Dictionary(grouping: playlist.audioRenditions, by: \.group)
        var done: Set<String> = []
        return groups.flatMap { group, bandwidth -> [HLSVariantChoice] in
            guard done.insert(group).inserted, let renditions = byGroup[group] else { return [] }
            let others = renditions.filter { !$0.isDefault }
            let ordered =
                renditions.filter(\.isDefault) + others.filter(\.isAutomatic)
                + others.filter { !$0.isAutomatic }
            return ordered.compactMap { rendition in
                rendition.reference.map {
                    HLSVariantChoice(source: .rendition, reference: $0, bandwidth: bandwidth)
                }
            }
        }
    }
}
