// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@Suite("Buffer lists")
struct AudioBufferListTests {
    @Test("sizes count the buffers")
    func sizes() {
        expectEqual(AudioBufferList.sizeInBytes(maximumBuffers: 1), 24)
        expectEqual(AudioBufferList.sizeInBytes(maximumBuffers: 6), 104)
    }

    @Test("an allocated list is an empty collection of buffers to fill")
    func collection() {
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 3)
        defer { unsafe free(list.unsafeMutablePointer) }
        unsafe expectEqual(list.count, 3)
        var samples: [Int16] = [1, 2, 3, 4]
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            unsafe list[2] = unsafe AudioBuffer(samples, numberOfChannels: 2)
            let last = unsafe list[2]
            #expect(unsafe last.mDataByteSize == 8 && last.mNumberChannels == 2)
            let again = unsafe UnsafeBufferPointer<Int16>(last)
            unsafe expectEqual(Array(again), [1, 2, 3, 4])
            unsafe expectEqual(UnsafeMutableBufferPointer<Int32>(last).count, 2)
        }
        unsafe expectEqual(list[0].mData, nil)
        #expect(unsafe UnsafeBufferPointer<Float>(list[0]).isEmpty)
        unsafe list.count = 2
        unsafe expectEqual(list.endIndex, 2)
        unsafe expectEqual(list.unsafePointer.pointee.mNumberBuffers, 2)
        #expect(unsafe UnsafeMutableAudioBufferListPointer(nil) == nil)
    }
}
