// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Foundation
import Synchronization
import AQTestSupport
import Testing

@testable import AVFoundation

extension RecordingTests {
    @Suite("AVCaptureDevice") struct AVCaptureDeviceTests {
        private static let array = DeviceInfo.test(
            "array", channels: 4, isDefault: false, DeviceFacts(manufacturer: "Company", connection: .pci))
        private static let monitor = DeviceInfo.test("speaker.monitor", isDefault: false, isMonitor: true)
        private static let webcam = DeviceInfo.test("webcam", DeviceFacts(connection: .usb))

        private let table = MicrophoneTable([array, monitor, webcam])

        init() { table.use() }

        private func names(
            _ types: [AVCaptureDevice.DeviceType], _ mediaType: AVMediaType? = .audio,
            _ position: AVCaptureDevice.Position = .unspecified
        ) -> [String] {
            AVCaptureDevice.DiscoverySession(deviceTypes: types, mediaType: mediaType, position: position)
                .devices.map(\.uniqueID)
        }

        @Test("a search finds the microphones of its types once, the default one first, and no monitor")
        func search() {
            expectEqual(names([.microphone]), ["webcam", "array"])
            expectEqual(names([.builtInMicrophone, .microphone, .external], nil), ["webcam", "array"])
            #expect(names([.external]) == ["webcam"] && names([.externalUnknown]) == ["webcam"])
            #expect(names([]) == [] && names([.init(rawValue: "camera")]) == [])
            #expect(names([.microphone], .video) == [] && names([.microphone], .audio, .front) == [])
            expectEqual(AVCaptureDevice.devices(for: .audio).map(\.uniqueID), ["webcam", "array"])
            #expect(AVCaptureDevice.devices().count == 2 && AVCaptureDevice.devices(for: .video) == [])
        }

        @Test("the default microphone is the server's, or the first if that is a monitor") func defaults() {
            expectEqual(AVCaptureDevice.default(for: .audio)?.uniqueID, "webcam")
            expectEqual(AVCaptureDevice.default(for: .video), nil)
            expectEqual(
                AVCaptureDevice.default(.microphone, for: .audio, position: .unspecified)?.uniqueID, "webcam")
            var monitor = Self.monitor
            monitor.isDefault = true
            table.set([monitor, Self.array])
            expectEqual(AVCaptureDevice.default(for: .audio)?.uniqueID, "array")
            table.set([monitor])
            expectEqual(AVCaptureDevice.default(for: .audio), nil)
        }

        @Test("a device is found by its name, and has the facts of the server") func facts() throws {
            let device = try #require(AVCaptureDevice(uniqueID: "array"))
            #expect(device.localizedName == "The array" && device.manufacturer == "Company")
            #expect(device.modelID == "" && device.deviceType == .microphone)
            #expect(device.position == .unspecified && !device.isInUseByAnotherApplication)
            #expect(device.hasMediaType(.audio) && !device.hasMediaType(.video))
            #expect(device == AVCaptureDevice(uniqueID: "array") && device.isConnected)
            #expect(device != AVCaptureDevice(uniqueID: "webcam"))
            expectEqual(AVCaptureDevice(uniqueID: "speaker.monitor"), nil)
            expectEqual(AVCaptureDevice(uniqueID: "none"), nil)
            table.set([Self.webcam])
            #expect(!device.isConnected)
            let code = thrownCode { _ = try AVCaptureDeviceInput(device: device) }
            expectEqual(code, -11814)
        }

        @Test("without a server there are no devices") func noServer() throws {
            let device = try #require(AVCaptureDevice.default(for: .audio))
            table.set(nil)
            #expect(names([.microphone]) == [] && AVCaptureDevice.default(for: .audio) == nil)
            #expect(AVCaptureDevice(uniqueID: "webcam") == nil && !device.isConnected)
        }

        @Test("audio is authorized, other media are restricted") func authorization() async {
            expectEqual(AVCaptureDevice.authorizationStatus(for: .audio), .authorized)
            expectEqual(AVCaptureDevice.authorizationStatus(for: .video), .restricted)
            #expect(await AVCaptureDevice.requestAccess(for: .audio))
            #expect(await !AVCaptureDevice.requestAccess(for: .video))
            for (media, expected) in [(AVMediaType.audio, true), (.video, false)] {
                let answer = await withCheckedContinuation { continuation in
                    AVCaptureDevice.requestAccess(for: media) { continuation.resume(returning: $0) }
                }
                expectEqual(answer, expected)
            }
            #expect(AVAuthorizationStatus.authorized.rawValue == 3 && AVMediaType.audio.rawValue == "soun")
        }

        private final class Seen: Sendable {
            let lines = Mutex<[String]>([])
        }

        @Test("devices that come and go are posted with the device as object") func notifications() throws {
            let seen = Seen()
            let tokens = [
                ("+", AVCaptureDevice.wasConnectedNotification),
                ("-", AVCaptureDevice.wasDisconnectedNotification),
            ].map { sign, name in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                    let device = $0.object as? AVCaptureDevice
                    seen.lines.withLock { $0.append(sign + (device?.uniqueID ?? "no device")) }
                }
            }
            defer { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
            // The watch of the process has the devices of its first use.
            let watch = CaptureDeviceWatch()
            watch.begin()
            watch.begin()
            #expect(eventually { table.isWatched })
            table.set([Self.webcam])
            #expect(eventually { seen.lines.withLock { $0.contains("-array") } })
            // A server that ends takes no device away.
            table.set(nil)
            #expect(remains(forSeconds: 0.15) { seen.lines.withLock { !$0.contains("-webcam") } })
            table.set([Self.webcam, Self.monitor, .test("desk", isDefault: false)])
            #expect(eventually { seen.lines.withLock { $0.contains("+desk") } })
            expectEqual(Set(seen.lines.withLock { $0 }), ["-array", "+desk"])
        }
    }
}
