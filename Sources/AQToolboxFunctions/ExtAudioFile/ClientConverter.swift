// SPDX-License-Identifier: MIT

/// The converter between a file and its client, with the handle that the client can read.
struct ClientConverter {
    private(set) var object: ConverterObject?
    /// The bits of the handle; 0 if there is no converter.
    private(set) var handle: UInt = 0
    /// The number of damaged packets of the converters before the current one.
    private var earlierDamagedPackets = 0

    /// The number of packets that could not be decoded and became silence.
    var damagedPackets: Int { earlierDamagedPackets + (object?.damagedPackets ?? 0) }

    mutating func replace(with new: ConverterObject) {
        letGo()
        object = new
        unsafe handle = UInt(bitPattern: ConverterObject.handles.insert(new))
    }

    mutating func letGo() {
        earlierDamagedPackets = damagedPackets
        unsafe ConverterObject.handles.remove(OpaquePointer(bitPattern: handle))
        (object, handle) = (nil, 0)
    }
}
