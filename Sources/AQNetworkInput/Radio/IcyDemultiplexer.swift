// SPDX-License-Identifier: MIT

/// Separates a radio stream into audio and the metadata that is inserted at a constant interval.
///
/// After each interval of audio, a byte states the size of the metadata in units of 16 bytes; 0 means that nothing has
/// changed.
package struct IcyDemultiplexer {
    package enum Element: Equatable {
        /// Audio: a part of the bytes that were passed.
        case audio(ArraySlice<UInt8>)
        /// Metadata, and the number of audio bytes before it.
        case metadata(IcyMetadata, audioOffset: Int64)
    }

    private enum State {
        case audio(bytesLeft: Int)
        case length
        case block(bytesLeft: Int)
    }

    /// The number of audio bytes so far.
    package private(set) var audioBytes: Int64 = 0

    private let interval: Int
    private var state: State
    /// The beginning of the current block of metadata; at most 4080 bytes.
    private var block: [UInt8] = []

    /// - Parameter metadataInterval: The value of the header `icy-metaint`, in bytes of audio. If it is 0 or less, all
    ///   bytes are audio.
    package init(metadataInterval: Int) {
        interval = metadataInterval
        state = .audio(bytesLeft: metadataInterval)
    }

    /// Separates the next bytes of the body, of any number. The first call begins at the first byte of the body.
    package mutating func separate(_ bytes: ArraySlice<UInt8>) -> [Element] {
        guard interval > 0 else {
            audioBytes += Int64(bytes.count)
            return bytes.isEmpty ? [] : [.audio(bytes)]
        }
        var elements: [Element] = []
        var rest = bytes
        while let first = rest.first {
            switch state {
            case .audio(let bytesLeft):
                let audio = rest.prefix(bytesLeft)
                rest = rest.dropFirst(audio.count)
                audioBytes += Int64(audio.count)
                elements.append(.audio(audio))
                state = audio.count == bytesLeft ? .length : .audio(bytesLeft: bytesLeft - audio.count)
            case .length:
                rest = rest.dropFirst()
                state = first == 0 ? .audio(bytesLeft: interval) : .block(bytesLeft: Int(first) * 16)
            case .block(let bytesLeft):
                let part = rest.prefix(bytesLeft)
                rest = rest.dropFirst(part.count)
                block += part
                state = .block(bytesLeft: bytesLeft - part.count)
                if part.count == bytesLeft {
                    elements.append(.metadata(IcyMetadata(block[...]), audioOffset: audioBytes))
                    block = []
                    state = .audio(bytesLeft: interval)
                }
            }
        }
        return elements
    }
}
