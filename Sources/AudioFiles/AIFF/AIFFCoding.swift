/// How AIFF-C says what its samples are.
enum AIFFCoding {
    /// What libsndfile must read in place of a file's own words to take the samples as they are meant.
    ///
    /// QUIRK: libsndfile 1.2 takes integers whose coding tells their depth for as deep as the number beside it says,
    /// which QuickTime leaves at 16 there; and it does not know '42ni', which is as 'sowt' of 24 bits.
    ///
    /// - Parameters:
    ///   - common: The contents of the chunk `COMM`, to the end of the coding.
    ///   - offset: Where they are.
    static func patches(common: [UInt8], at offset: Int64) -> [MendedFile.Patch] {
        guard common.count >= 22, let depth = depths[String(decoding: common[18..<22], as: UTF8.self)] else {
            return []
        }
        var patches: [MendedFile.Patch] = []
        if common[6..<8] != [0, depth] { patches.append((offset: offset + 6, bytes: [0, depth])) }
        if common[18..<22].elementsEqual("42ni".utf8) {
            patches.append((offset: offset + 18, bytes: Array("sowt".utf8)))
        }
        return patches
    }

    /// Bits of the codings that tell them.
    private static let depths: [String: UInt8] = ["in24": 24, "42ni": 24, "in32": 32, "23ni": 32]
}
