// SPDX-License-Identifier: MIT

import AQTestSupport

/// Cuts an input into pieces of random size, some of which may be empty.
struct Pieces: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private let most: Int
    private var random: SplitMix

    init(_ input: [UInt8], _ random: SplitMix) {
        rest = input[...]
        self.random = random
        // Single bytes take as long as everything else together.
        most = self.random.chance(16) ? 1 : [16, 300, 3000].randomElement(using: &self.random) ?? 1
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let piece = rest.prefix(.random(in: (most > 1 ? 0 : 1)...most, using: &random))
        rest = rest.dropFirst(piece.count)
        return piece
    }
}
