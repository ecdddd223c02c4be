// SPDX-License-Identifier: MIT

import AQDevices
public import Foundation

/// A microphone: a source of the sound server, except monitors. Devices with one ``uniqueID`` are equal.
///
/// The functions that find devices, and ``isConnected``, query the server and wait for its answer. Properties have the
/// values of the moment when the device was found.
open class AVCaptureDevice: NSObject {
    let info: DeviceInfo

    init(_ info: DeviceInfo) {
        self.info = info
        super.init()
    }

    /// Finds a microphone by its name in the server; nil if there is none, or no server answers.
    public init?(uniqueID deviceUniqueID: String) {
        let found = AVCaptureDevice.microphones().first { $0.name == deviceUniqueID }
        guard let found else { return nil }
        info = found
        super.init()
    }

    /// The microphones, the default one first; empty if no server answers. Begins to report connections.
    static func microphones() -> [DeviceInfo] {
        CaptureDeviceWatch.shared.begin()
        return CaptureHardware.current.microphones() ?? []
    }

    // MARK: Finding devices

    /// The server's default microphone, or the first one if the default source is a monitor; nil without microphones,
    /// and for other media.
    open class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
        mediaType == .audio ? microphones().first.map { AVCaptureDevice($0) } : nil
    }

    /// The first device that a ``DiscoverySession`` finds, which is the default one if it has the type.
    open class func `default`(
        _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
    ) -> AVCaptureDevice? {
        DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position).devices.first
    }

    /// All microphones, the default one first; none for other media. The older form of ``DiscoverySession``.
    open class func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
        mediaType == .audio ? microphones().map { AVCaptureDevice($0) } : []
    }

    /// All microphones, the default one first. The older form of ``DiscoverySession``.
    open class func devices() -> [AVCaptureDevice] { devices(for: .audio) }

    // MARK: Facts

    /// The name in the server, which selects the device, and is its UID in CoreAudio.
    open var uniqueID: String { info.name }
    /// The name to show to a user.
    open var localizedName: String { info.description }
    /// Always empty: servers do not report models.
    open var modelID: String { "" }
    /// Empty if the server does not report it.
    open var manufacturer: String { info.facts?.manufacturer ?? "" }
    /// Always ``DeviceType/microphone``.
    open var deviceType: DeviceType { .microphone }
    /// Always ``Position/unspecified``.
    open var position: Position { .unspecified }
    /// Whether the server lists the device now.
    open var isConnected: Bool {
        CaptureHardware.current.microphones()?.contains { $0.name == info.name } ?? false
    }
    /// Whether only other programs used the device when it was found.
    open var isInUseByAnotherApplication: Bool {
        info.facts.map { $0.isRunning && !$0.isUsedHere } ?? false
    }

    /// Whether the media is ``AVMediaType/audio``.
    open func hasMediaType(_ mediaType: AVMediaType) -> Bool { mediaType == .audio }

    /// Whether another object is the same device.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVCaptureDevice)?.uniqueID == uniqueID
    }

    open override var hash: Int { uniqueID.hashValue }

    open override var description: String { "<AVCaptureDevice: \(localizedName) [\(uniqueID)]>" }
}
