// SPDX-License-Identifier: MIT

public import AudioToolbox
import CoreAudioTypes
public import Foundation

/// Memory for audio of a format. Made by its subclasses only.
///
/// Not safe to use on several threads at a time.
@safe open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
    // SAFETY: the memory of the lists and the samples lives as long as the object.

    public let format: AVAudioFormat
    let memory: BufferMemory

    init(_ format: AVAudioFormat, _ memory: BufferMemory) {
        self.format = format
        self.memory = memory
        super.init()
    }

    /// Makes a buffer without memory, to be replaced.
    public convenience override init() { self.init(AVAudioFormat(), .none) }

    /// The buffers with the sizes of the audio that they contain. Exists as long as this object.
    public var audioBufferList: UnsafePointer<AudioBufferList> {
        unsafe UnsafePointer(memory.filled.unsafePointer)
    }

    /// The buffers with the sizes of their memory, which each access restores. A client that changes the audio through
    /// this list then sets the length of the buffer. Exists as long as this object.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
        memory.restoreSizes()
        return unsafe memory.whole.unsafeMutablePointer
    }

    /// Returns an independent buffer with the same audio.
    open func copy(with zone: NSZone? = nil) -> Any { fatalError("a subclass copies") }

    /// Returns an independent buffer with the same audio.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
