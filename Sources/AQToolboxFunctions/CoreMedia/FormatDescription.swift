// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CAQCoreMedia
import CoreAudioTypes
import CoreFoundation

/// The contents of a `CMAudioFormatDescriptionRef`, which do not change.
///
/// Clients get pointers to the format, layout and cookie, so that these have memory of their own.
@safe final class FormatDescription {
    static let objects = MediaObjectClass<FormatDescription>("CMFormatDescription")

    // SAFETY: the memory is written by `init` only; `deinit` frees it.
    let formatMemory: UnsafeRawBufferPointer
    let layoutMemory: UnsafeRawBufferPointer
    let cookieMemory: UnsafeRawBufferPointer
    let extensions: CFDictionary?

    /// Layouts and cookies of so many bytes at most. Those of real files have a few hundred.
    static let limit = 1 << 24

    @unsafe
    init(
        _ format: AudioStreamBasicDescription, layout: UnsafeRawBufferPointer, cookie: UnsafeRawBufferPointer,
        extensions: CFDictionary?
    ) {
        var format = format
        unsafe formatMemory = withUnsafeBytes(of: &format) { unsafe Self.copy($0) }
        unsafe layoutMemory = Self.copy(layout)
        unsafe cookieMemory = Self.copy(cookie)
        self.extensions = extensions
    }

    deinit {
        unsafe formatMemory.deallocate()
        unsafe layoutMemory.deallocate()
        unsafe cookieMemory.deallocate()
    }

    private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard unsafe !bytes.isEmpty else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        unsafe memory.copyMemory(from: bytes)
        return UnsafeRawBufferPointer(memory)
    }

    var format: AudioStreamBasicDescription { unsafe formatMemory.load(as: AudioStreamBasicDescription.self) }

    func isEqual(to other: FormatDescription) -> Bool {
        guard unsafe formatMemory.elementsEqual(other.formatMemory),
            unsafe layoutMemory.elementsEqual(other.layoutMemory),
            unsafe cookieMemory.elementsEqual(other.cookieMemory)
        else { return false }
        switch (extensions, other.extensions) {
        case (nil, nil): return true
        case (let left?, let right?): return CFEqual(left, right)
        default: return false
        }
    }
}
