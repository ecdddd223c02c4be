// SPDX-License-Identifier: MIT

/// The codings of AIFF-C that libsndfile reads incorrectly.
enum AIFFCoding {
    /// The patches that make libsndfile read the samples correctly.
    ///
    /// QUIRK: if a coding implies the bit depth, libsndfile 1.2 still uses the depth in the chunk, which QuickTime
    /// leaves at 16. libsndfile also does not know '42ni', which is 'sowt' with 24 bits.
    ///
    /// - Parameters:
    ///   - common: The contents of the chunk `COMM`, up to the end of the coding.
    ///   - offset: The offset of `common` in the file.
    static func patches(common: [UInt8], at offset: Int64) -> [VirtualFile.Patch] {
        guard common.count >= 22, let depth = depths[String(decoding: common[18..<22], as: UTF8.self)] else {
            return []
        }
        var patches: [VirtualFile.Patch] = []
        if common[6..<8] != [0, depth] { patches.append((offset: offset + 6, bytes: [0, depth])) }
        if common[18..<22].elementsEqual("42ni".utf8) {
            patches.append((offset: offset + 18, bytes: Array("sowt".utf8)))
        }
        return patches
    }

    /// The bit depth of each coding that implies one.
    private static let depths: [String: UInt8] = ["in24": 24, "42ni": 24, "in32": 32, "23ni": 32]
}
