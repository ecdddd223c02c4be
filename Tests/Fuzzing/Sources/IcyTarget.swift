// SPDX-License-Identifier: MIT

import AQNetworkInput
import AQTestSupport

/// Separates radio streams, whole and in pieces. The first byte of an input determines the interval of metadata.
final class IcyTarget: FuzzTarget {
    private struct Trace: Equatable {
        var audio: [UInt8] = []
        var metadata: [IcyMetadata] = []
        var offsets: [Int64] = []

        mutating func take(_ elements: [IcyDemultiplexer.Element]) {
            for element in elements {
                switch element {
                case .audio(let bytes):
                    require(!bytes.isEmpty, "no audio is empty")
                    audio += bytes
                case .metadata(let block, let offset):
                    require(offset == audio.count, "metadata states its offset: \(offset) of \(audio.count)")
                    metadata.append(block)
                    offsets.append(offset)
                }
            }
        }
    }

    func test(_ input: [UInt8]) -> Bool {
        guard let first = input.first else { return false }
        let interval = Int(first) - 4
        let body = Array(input.dropFirst())
        var (demultiplexer, whole) = (IcyDemultiplexer(metadataInterval: interval), Trace())
        whole.take(demultiplexer.separate(body[...]))
        var (cut, pieces) = (IcyDemultiplexer(metadataInterval: interval), Trace())
        for piece in Pieces(body, SplitMix(digest: input)) { pieces.take(cut.separate(piece)) }
        require(pieces == whole, "pieces give what the whole gives")
        require(demultiplexer.audioBytes == whole.audio.count, "audio is counted")
        check(whole, body, interval)
        checkText(IcyMetadata(body[...]), bytes: body.count)
        return true
    }

    private func check(_ whole: Trace, _ body: [UInt8], _ interval: Int) {
        guard interval > 0 else {
            require(whole.audio == body && whole.metadata.isEmpty, "without an interval all is audio")
            return
        }
        // The body is read again by its definition.
        var (audio, blocks, position) = ([UInt8](), 0, 0)
        while position < body.count {
            let end = min(position + interval, body.count)
            audio += body[position..<end]
            position = end
            guard position < body.count else { break }
            let blockBytes = Int(body[position]) * 16
            position += 1 + blockBytes
            if blockBytes > 0 && position <= body.count { blocks += 1 }
        }
        require(audio == whole.audio, "audio is what is not metadata")
        require(blocks == whole.metadata.count, "each complete block is returned: \(blocks)")
        require(whole.offsets.allSatisfy { $0 % Int64(interval) == 0 }, "metadata follows whole intervals")
        for block in whole.metadata { checkText(block, bytes: 4080) }
    }

    private func checkText(_ metadata: IcyMetadata, bytes: Int) {
        for text in [metadata.title, metadata.address] {
            require(isShown(text, bytes: bytes), "text is safe")
        }
    }
}

/// Returns whether a text is short enough, and without control characters.
func isShown(_ text: String?, bytes: Int) -> Bool {
    guard let text else { return true }
    return text.unicodeScalars.count <= min(bytes, StreamText.mostScalars)
        && !text.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value || $0.value == 0x202E }
}
