// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes
import AQToolSupport

/// Memory for the output of a converter, one block at a time.
@safe final class OutputBlock {
    // SAFETY: this object owns the memory; a block is used until the next fill.
    private static let blockBytes = 256 << 10

    private let memory: UnsafeMutableRawBufferPointer
    private let descriptionMemory: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    private let packets: Int
    private let hasDescriptions: Bool
    private let inputName: String

    /// - Parameters:
    ///   - seconds: The longest duration of a block, in seconds; nil for any.
    ///   - inputName: The name of the input for messages.
    init(_ converter: AudioConverter, seconds: Double? = nil, inputName: String) {
        self.inputName = inputName
        let packetBytes = max(1, converter.maximumOutputPacketSize)
        let wanted = seconds.map { converter.outputFormat.packets(inSeconds: $0) } ?? .max
        packets = max(1, min(OutputBlock.blockBytes / packetBytes, wanted))
        hasDescriptions = !converter.outputFormat.hasConstantPacketSize
        unsafe memory = .allocate(byteCount: packets * packetBytes, alignment: 16)
        unsafe descriptionMemory = .allocate(capacity: hasDescriptions ? packets : 0)
        unsafe descriptionMemory.initialize(repeating: AudioStreamPacketDescription())
    }

    deinit {
        unsafe memory.deallocate()
        unsafe descriptionMemory.deallocate()
    }

    func fill(
        from converter: AudioConverter, _ supply: PacketSupply
    ) throws(ToolFailure) -> AudioConverter.Filled {
        do {
            return try unsafe converter.fill(
                memory, descriptions: hasDescriptions ? descriptionMemory : nil, maximumPackets: packets
            ) { wanted in unsafe try supply.supply(wanting: wanted) }
        } catch let error as ToolFailure {
            throw error
        } catch let error as CodecError {
            throw ToolFailure(.failure, "cannot convert \(inputName): \(error.message)")
        } catch {
            throw ToolFailure(.failure, "\(error)")
        }
    }

    func bytes(_ filled: AudioConverter.Filled) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: memory[..<filled.bytes])
    }

    func descriptions(
        _ filled: AudioConverter.Filled
    ) -> UnsafeBufferPointer<AudioStreamPacketDescription>? {
        guard hasDescriptions else { return nil }
        return unsafe UnsafeBufferPointer(rebasing: descriptionMemory[..<filled.packets])
    }
}
