// SPDX-License-Identifier: MIT

import AQNetworkInput

/// Reads playlists of HTTP Live Streaming, and chooses variants.
final class HLSTarget: FuzzTarget {
    func test(_ input: [UInt8]) -> Bool {
        guard let playlist = try? HLSPlaylist(input) else { return true }
        switch playlist {
        case .master(let master): check(master, input)
        case .media(let media): check(media, input)
        }
        if !input.contains(0x0D) {
            let windows = try? HLSPlaylist(input.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
            require(windows == playlist, "line ends of Windows change nothing")
        }
        return true
    }

    private func check(_ playlist: HLSMasterPlaylist, _ input: [UInt8]) {
        require(
            playlist.variants.count + playlist.audioRenditions.count <= input.count / 16,
            "no variant is made up")
        for variant in playlist.variants {
            checkReference(variant.reference)
            require(variant.bandwidth >= 0, "a bit rate is not negative: \(variant.bandwidth)")
        }
        for rendition in playlist.audioRenditions {
            require(isShown(rendition.name, bytes: input.count), "a name is safe")
        }
        let choices = HLSVariantChoice.all(in: playlist)
        let references =
            playlist.variants.map(\.reference) + playlist.audioRenditions.compactMap(\.reference)
        require(Set(choices.map(\.reference)).count == choices.count, "no choice is repeated")
        require(choices.allSatisfy { references.contains($0.reference) }, "choices are in the playlist")
        let all = HLSVariantChoice.all(in: playlist) { _ in true }
        require(all.count >= choices.count, "more codecs give more choices")
    }

    private func check(_ playlist: HLSMediaPlaylist, _ input: [UInt8]) {
        require(playlist.segments.count <= input.count / 2 + 1, "no segment is made up")
        require(1...3600 ~= playlist.targetSeconds, "a target is limited: \(playlist.targetSeconds)")
        require(playlist.startSeconds?.isFinite != false, "a start is a number")
        var expected = playlist.firstSequenceNumber
        require(expected >= 0, "numbers begin at 0: \(expected)")
        var discontinuity: Int64 = 0
        for segment in playlist.segments {
            require(segment.sequenceNumber == expected, "numbers rise by one: \(expected)")
            expected += 1
            require(segment.discontinuityNumber >= discontinuity, "discontinuities are counted")
            discontinuity = segment.discontinuityNumber
            require(0...1e9 + 1 ~= segment.seconds, "a duration is limited: \(segment.seconds)")
            require(segment.isGap || !segment.reference.isEmpty, "a segment has a reference, or is a gap")
            require(segment.isGap || segment.byteRange?.isEmpty != true, "a segment has bytes, or is a gap")
            for range in [segment.byteRange, segment.initialization?.byteRange] {
                require(range.map { $0.lowerBound >= 0 } ?? true, "a range begins in the resource")
            }
            if !segment.reference.isEmpty { checkReference(segment.reference) }
            for text in [segment.title, segment.encryptionMethod] {
                require(isShown(text, bytes: max(input.count, 32)), "text is safe")
            }
        }
    }

    private func checkReference(_ reference: String) {
        require(
            !reference.isEmpty && !reference.utf8.contains { $0 < 0x20 || $0 == 0x7F },
            "a reference has no control characters")
        require(reference.utf8.count <= 3 * RemoteAddress.mostBytes, "a reference is short")
    }
}
