import AudioFiles
import CAudioToolbox
import CoreFoundation

/// Copying an answer into the client's memory.
extension PropertyAnswer {
    /// Copies the value; for objects a reference, with a retain that the client has to balance.
    ///
    /// - Parameters:
    ///   - data: Receives the value.
    ///   - ioBytes: The room in bytes; on return the size of the value.
    ///   - tooSmall: The result if there is no room for the value.
    @unsafe
    func deliver(
        to data: UnsafeMutableRawPointer, _ ioBytes: UnsafeMutablePointer<UInt32>, tooSmall: OSStatus
    ) -> OSStatus {
        let room = unsafe Int(ioBytes.pointee)
        let reply = unsafe PropertyReply(data, ioBytes)
        switch self {
        case .nothing: return reply.bytes([], tooSmall: tooSmall)
        case .bytes(let bytes): return reply.bytes(bytes, tooSmall: tooSmall)
        case .list(let bytes, let elementBytes):
            let whole = min(room, bytes.count) / elementBytes * elementBytes
            guard whole > 0 || bytes.isEmpty else { return tooSmall }
            return reply.bytes(Array(bytes[..<whole]), tooSmall: tooSmall)
        case .text(let text): return reply.object({ HardwareText.make(text) }, tooSmall: tooSmall)
        case .tags(let tags): return reply.object({ Self.dictionary(of: tags) }, tooSmall: tooSmall)
        }
    }

    /// A dictionary of tags; several with one key are joined. Nil if memory is insufficient.
    private static func dictionary(of tags: [AudioFileInformation]) -> CFMutableDictionary? {
        var keyCalls = kCFTypeDictionaryKeyCallBacks
        var valueCalls = kCFTypeDictionaryValueCallBacks
        guard let dictionary = unsafe CFDictionaryCreateMutable(nil, 0, &keyCalls, &valueCalls) else {
            return nil
        }
        let pairs = tags.map { ($0.key, $0.value) }
        for (name, text) in Dictionary(pairs, uniquingKeysWith: { $0 + ", " + $1 }) {
            guard let key = HardwareText.make(name), let value = HardwareText.make(text) else { return nil }
            // The dictionary retains both.
            withExtendedLifetime((key, value)) {
                unsafe CFDictionarySetValue(
                    dictionary, Unmanaged.passUnretained(key).toOpaque(),
                    Unmanaged.passUnretained(value).toOpaque())
            }
        }
        return dictionary
    }
}
