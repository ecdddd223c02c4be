// SPDX-License-Identifier: MIT

import AVFoundation
import Foundation
import Testing

@Suite("Functions of Apple's systems") struct PortabilityTests {
    private struct Failure: Error {}

    @Test("autoreleasepool returns and throws what its closure does") func pool() {
        #expect(autoreleasepool { 5 } == 5)
        #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
    }

    @Test("times are those of the host's clock") func times() {
        var timebase = mach_timebase_info_data_t()
        #expect(unsafe mach_timebase_info(&timebase) == KERN_SUCCESS)
        let before = Double(mach_absolute_time()) * Double(timebase.numer) / Double(timebase.denom) / 1e9
        let time = CACurrentMediaTime()
        let after = AVAudioTime.seconds(forHostTime: mach_absolute_time())
        #expect(before <= time && time <= after && after - before < 10)
    }

    @Test("the absolute time counts from 2001") func absoluteTime() {
        #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 10)
    }

    @Test("an error pointer is the address of a variable") func errorPointer() {
        var error: NSError?
        func fail(_ pointer: NSErrorPointer) {
            unsafe pointer?.pointee = NSError(domain: NSOSStatusErrorDomain, code: -50)
        }
        unsafe fail(&error)
        #expect(error?.code == -50)
    }
}
