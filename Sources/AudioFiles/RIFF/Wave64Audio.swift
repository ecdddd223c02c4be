import CoreAudioTypes

/// The audio of a Wave64 file that its header counts and the file does not hold; libsndfile says nothing of it.
enum Wave64Audio {
    /// Nil if all of it is there.
    static func fault(_ file: OpenFile) -> String? {
        let data = ContainerDetails(file: file).chunks.first { $0.type == FourCharacterCode("data") }
        guard let data, let fileBytes = file.bytes else { return nil }
        let available = max(0, fileBytes - data.offset - headerBytes)
        guard data.byteCount > available else { return nil }
        return DamageWords.missingAudio(promised: UInt64(data.byteCount), available: UInt64(available))
    }

    /// Of a chunk.
    private static let headerBytes: Int64 = 24
}
