// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc
import Testing

@Suite("Buffer lists")
struct AudioBufferListTests {
    @Test("sizes count the buffers")
    func sizes() {
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 1) == 24)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 6) == 104)
    }

    @Test("an allocated list is an empty collection of buffers to fill")
    func collection() {
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 3)
        defer { unsafe free(list.unsafeMutablePointer) }
        #expect(unsafe list.count == 3)
        var samples: [Int16] = [1, 2, 3, 4]
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            unsafe list[2] = unsafe AudioBuffer(samples, numberOfChannels: 2)
            let last = unsafe list[2]
            #expect(unsafe last.mDataByteSize == 8 && last.mNumberChannels == 2)
            let again = unsafe UnsafeBufferPointer<Int16>(last)
            #expect(unsafe Array(again) == [1, 2, 3, 4])
            #expect(unsafe UnsafeMutableBufferPointer<Int32>(last).count == 2)
        }
        #expect(unsafe list[0].mData == nil)
        #expect(unsafe UnsafeBufferPointer<Float>(list[0]).isEmpty)
        unsafe list.count = 2
        #expect(unsafe list.endIndex == 2)
        #expect(unsafe list.unsafePointer.pointee.mNumberBuffers == 2)
        #expect(unsafe UnsafeMutableAudioBufferListPointer(nil) == nil)
    }
}
