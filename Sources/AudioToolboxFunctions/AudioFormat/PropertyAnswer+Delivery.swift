import AudioFiles
import CAudioToolbox
import CoreFoundation

/// How an answer gets into the client's memory.
extension PropertyAnswer {
    /// Copies the value; of objects a reference, with a retain that is the client's to balance.
    ///
    /// - Parameters:
    ///   - data: Where the value goes.
    ///   - ioBytes: How many bytes there is room for, and then how many are of the value.
    ///   - tooSmall: What to return if there is no room for it.
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
        case .texts(let texts): return reply.object({ Self.dictionary(of: texts) }, tooSmall: tooSmall)
        }
    }

    /// A dictionary of texts; those under one key stand behind each other. Nil if there is no memory for it.
    private static func dictionary(of texts: [AudioFileInformation]) -> CFMutableDictionary? {
        var keyCalls = kCFTypeDictionaryKeyCallBacks
        var valueCalls = kCFTypeDictionaryValueCallBacks
        guard let dictionary = unsafe CFDictionaryCreateMutable(nil, 0, &keyCalls, &valueCalls) else {
            return nil
        }
        let pairs = texts.map { ($0.key, $0.value) }
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
