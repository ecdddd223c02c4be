// SPDX-License-Identifier: MIT

import Glibc
import AQSoundHarness

// Plays the fixture tune with aqplay and measures the audio at the sink's monitor.
do {
    let demo = try Demo.prepare()
    let measurement = try demo.play()
    print(measurement.line)
    if let fault = measurement.fault {
        complain(fault)
        exit(1)
    }
} catch {
    complain("\(error)")
    exit(1)
}

func complain(_ message: String) {
    let line = Array("aqdemo: \(message)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}
