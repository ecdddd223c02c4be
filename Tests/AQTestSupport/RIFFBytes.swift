// SPDX-License-Identifier: MIT

/// Small WAVE files, made byte by byte.
public enum RIFFBytes {
    /// A file of 16-bit samples.
    ///
    /// - Parameters:
    ///   - more: Chunks behind the samples: a type and contents.
    ///   - promisedBytes: The length of the samples by the header; nil is the truth.
    public static func wave(
        _ samples: [Int16], channels: Int = 1, sampleRate: Int = 8000, more: [(String, [UInt8])] = [],
        promisedBytes: Int? = nil
    ) -> [UInt8] {
        let fields = [
            (1, 2), (channels, 2), (sampleRate, 4), (sampleRate * channels * 2, 4), (channels * 2, 2),
            (16, 2),
        ]
        let data = samples.flatMap { little($0) }
        var chunks = chunk("fmt ", fields.flatMap { little($0.0, $0.1) })
        chunks += Array("data".utf8) + little(promisedBytes ?? data.count, 4) + data
        for (type, contents) in more { chunks += chunk(type, contents) }
        return Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WAVE".utf8) + chunks
    }

    public static func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(contents.count, 4) + contents
            + [UInt8](repeating: 0, count: contents.count % 2)
    }
}
