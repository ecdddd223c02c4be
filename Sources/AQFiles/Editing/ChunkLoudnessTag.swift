// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The loudness in the tags of WAVE, AIFF and CAF, changed in place.
enum ChunkLoudnessTag {
    static func write(_ gain: ReplayGain, to path: FilePath) throws(AudioFileError) {
        let editor = try AudioFileEditor.open(path: path)
        let texts = gain.tagTexts
        if let (type, tag) = try editor.id3Chunk() {
            // The other frames are kept byte for byte.
            let contents = try ID3LoudnessTag.bytes(replacing: tag, gain)
            return try editor.setChunk(type, index: 0, contents: contents)
        }
        let names = Set(texts.map(\.name))
        var information = try AudioFile.open(path: path).information
        information.removeAll { names.contains($0.key.uppercased()) }
        for text in texts {
            if let value = text.value { information.append(AudioFileInformation(text.name, value)) }
        }
        try editor.setInformation(information)
    }
}

extension AudioFileEditor {
    /// The type and the contents of the chunk with an ID3 tag; nil if there is none.
    fileprivate func id3Chunk() throws(AudioFileError) -> (FourCharacterCode, [UInt8])? {
        let map = try ChunkMap(file)
        for type in ["id3 ", "ID3 "] {
            guard let chunk = map.chunks(ChunkGrammar.code(type)).first else { continue }
            let contents = try file.read(
                at: chunk.contents.lowerBound, count: Int(min(Int64(chunk.contents.count), 256 << 20)))
            if contents.starts(with: "ID3".utf8) {
                return (FourCharacterCode(rawValue: ChunkGrammar.code(type)), contents)
            }
        }
        return nil
    }
}
