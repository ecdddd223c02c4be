// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  PortedNames.swift
//
//  Names around the audio functions, and the ways in which programs import them.
//
//      PortedNames
//
import AudioToolbox
import AudioToolbox.AudioConverter
import AudioToolbox.AudioFile
import AudioToolbox.AudioFileStream
import AudioToolbox.AudioFormat
import AudioToolbox.AudioQueue
import AudioToolbox.ExtendedAudioFile
import CoreAudio.AudioHardware
import CoreAudio.HostTime
import CoreAudioTypes.CoreAudioBaseTypes
import Foundation
import OSLog
import os
import os.lock
import os.log
import func AudioToolbox.AudioQueueStart
import struct AudioToolbox.AudioStreamBasicDescription

private let logger = Logger(subsystem: "org.example.ported", category: "names")

final class Counter: @unchecked Sendable {
    private var lock = os_unfair_lock()
    private(set) var value = 0

    func increment() {
        os_unfair_lock_lock(&lock)
        defer { os_unfair_lock_unlock(&lock) }
        value += 1
    }
}

var failures = 0
func check(_ condition: Bool, _ name: String) {
    if !condition {
        failures += 1
        print("wrong:", name)
    }
}

// Old sine tables.
let phase = 2 * M_PI / 48_000 + M_PI_2 - M_PI_4
check(abs(sin(M_PI)) < DBL_EPSILON && Float(M_SQRT2) < FLT_MAX && M_SQRT1_2 < 1, "constants")
check(FLT_MANT_DIG == 24 && DBL_MAX > Double(FLT_MAX) && FLT_RADIX == 2, "limits")
check(kAudioFileOggType != kAudioFileFLACType, "types of files")

// The clock, as players convert it.
var timebase = mach_timebase_info_data_t()
mach_timebase_info(&timebase)
let before = AudioGetCurrentHostTime()
let now = mach_absolute_time()
let nanoseconds = now * UInt64(timebase.numer) / UInt64(timebase.denom)
check(before <= now && now <= AudioGetCurrentHostTime(), "host time")
check(AudioConvertHostTimeToNanos(now) == nanoseconds, "time base")

let counter = Counter()
DispatchQueue.concurrentPerform(iterations: 4) { _ in for _ in 0..<1000 { counter.increment() } }
check(counter.value == 4000, "os_unfair_lock")

let guarded = OSAllocatedUnfairLock(initialState: [Int]())
DispatchQueue.concurrentPerform(iterations: 4) { index in guarded.withLock { $0.append(index) } }
check(guarded.withLock { $0.sorted() } == [0, 1, 2, 3], "OSAllocatedUnfairLock")
let plain = OSAllocatedUnfairLock()
plain.lock()
check(!plain.lockIfAvailable(), "lockIfAvailable")
plain.unlock()

// The hardware through the older functions without objects. There may be no server.
var device = AudioDeviceID(kAudioDeviceUnknown)
var size = UInt32(MemoryLayout<AudioDeviceID>.size)
_ = AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &device)
check(AudioDeviceGetProperty(31, 0, false, kAudioDevicePropertyStreams, &size, &device) == kAudioHardwareBadObjectError, "old functions")

let name = "sink", secret = "word", error = NSError(domain: "x", code: 5)
logger.info("device \(name, privacy: .public), password \(secret, privacy: .private), \(3) of \(7.25, format: .fixed(precision: 1))")
logger.error("failed: \(error.localizedDescription.isEmpty, privacy: .public), \(255, format: .hex(includePrefix: true)), \(name, align: .right(columns: 6))|")
logger.debug("not shown")
os_log("plain")
os_log("%{public}@ of %{private}@ has %{private}*d and %d channels, %.1f%%", log: OSLog(subsystem: "a", category: "b"), type: .info, "sink" as NSString, "user" as NSString, 4, 6, 2, 99.5)
os_log(.error, log: .default, "interpolated \(name)")

print("\(failures) failures")
exit(failures == 0 ? 0 : 1)
