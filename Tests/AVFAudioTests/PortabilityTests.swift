// SPDX-License-Identifier: MIT

import AQExpectations
import AVFoundation
import Foundation
import AQTestSupport
import Testing

@Suite("Functions of Apple's systems") struct PortabilityTests {
    private struct Failure: Error {}

    @Test("autoreleasepool returns and throws what its closure does") func pool() {
        expectEqual(autoreleasepool { 5 }, 5)
        #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
    }

    @Test("times are those of the host's clock") func times() {
        var timebase = mach_timebase_info_data_t()
        unsafe expectEqual(mach_timebase_info(&timebase), KERN_SUCCESS)
        let before = Double(mach_absolute_time()) * Double(timebase.numer) / Double(timebase.denom) / 1e9
        let time = CACurrentMediaTime()
        let after = AVAudioTime.seconds(forHostTime: mach_absolute_time())
        #expect(before <= time && time <= after && after - before < 10)
    }

    @Test("the absolute time counts from 2001") func absoluteTime() {
        #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 10)
    }

    @Test("objects are arguments of formats") func arguments() throws {
        let time = AVAudioTime(sampleTime: 480, atRate: 48_000)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let text = String(format: "%@|%@|%d", time, format, 7)
        expectEqual(text, "\(time.description)|\(format.description)|7")
    }

    @Test("the notifications of a name, of all senders or of one") func notifications() async throws {
        final class Sender: Sendable {}
        let center = NotificationCenter()
        let name = Notification.Name("example")
        let (sender, other) = (Sender(), Sender())
        // Observation begins with the iterator.
        var all = center.notifications(named: name).makeAsyncIterator()
        var one = center.notifications(named: name, object: sender).makeAsyncIterator()
        for (object, number) in [(other, 1), (sender, 2), (other, 3)] {
            center.post(name: name, object: object, userInfo: ["number": number])
        }
        center.post(name: Notification.Name("other"), object: sender)
        center.post(name: name, object: sender, userInfo: ["number": 4])
        var numbers: [Int?] = []
        for _ in 0..<4 { numbers.append(await all.next()?.userInfo?["number"] as? Int) }
        expectEqual(numbers, [1, 2, 3, 4])
        numbers = []
        for _ in 0..<2 { numbers.append(await one.next()?.userInfo?["number"] as? Int) }
        expectEqual(numbers, [2, 4])
    }

    @Test("a loop over notifications ends with its task") func cancelled() async {
        let task = Task {
            for await _ in NotificationCenter().notifications(named: Notification.Name("never")) {}
            return true
        }
        task.cancel()
        #expect(await task.value)
    }

    @Test("memory of optional pointers is copied, compared and set") func memory() {
        var (bytes, copy) = ([1, 2, 3, 4] as [UInt8], [0, 0, 0, 0] as [UInt8])
        unsafe bytes.withUnsafeMutableBytes { source in
            unsafe copy.withUnsafeMutableBytes { target in
                let (from, to) = (source.baseAddress, target.baseAddress)
                unsafe expectEqual(memcpy(to, from, 4), to)
                unsafe expectEqual(memcmp(to, from, 4), 0)
                unsafe memset(to, 0x105, 1)
                #expect(unsafe memcmp(to, from, 4) > 0 && memcmp(from, to, 4) < 0)
                unsafe memmove(to.map { unsafe $0 + 1 }, to, 3)
            }
        }
        expectEqual(copy, [5, 5, 2, 3])
        let none: UnsafeMutableRawPointer? = nil
        #expect(unsafe memcpy(none, none, 0) == nil && memcmp(none, none, 0) == 0)
    }

    @Test("the errors of functions have their reasons") func reasons() throws {
        let folder = ScratchFolder()
        let text = URL(fileURLWithPath: folder.file("text.xyz"))
        try Data("this is a text, and not audio at all\n".utf8).write(to: text)
        func error(_ url: URL) -> String? {
            do {
                _ = try AVAudioPlayer(contentsOf: url)
                return nil
            } catch { return error.localizedDescription }
        }
        expectEqual(error(text), "cannot open 'text.xyz': unknown file type ('typ?')")
        let missing = URL(fileURLWithPath: folder.file("missing.wav"))
        #expect(error(missing)?.hasPrefix("cannot open 'missing.wav': no such file") ?? false)
    }

    @Test("an error pointer is the address of a variable") func errorPointer() {
        var error: NSError?
        func fail(_ pointer: NSErrorPointer) {
            unsafe pointer?.pointee = NSError(domain: NSOSStatusErrorDomain, code: -50)
        }
        unsafe fail(&error)
        expectEqual(error?.code, -50)
    }
}
