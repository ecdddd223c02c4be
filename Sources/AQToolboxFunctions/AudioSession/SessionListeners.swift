// SPDX-License-Identifier: MIT

import AQSessions
import CAQAudioToolbox

/// A client's interruption listener.
@safe struct InterruptionListener: @unchecked Sendable {
    // SAFETY: by its contract the client's code and data may be used on the run loop.
    private let procedure: AudioSessionInterruptionListener
    private let clientData: UnsafeMutableRawPointer?

    init(_ procedure: @escaping AudioSessionInterruptionListener, _ clientData: UnsafeMutableRawPointer?) {
        unsafe self.procedure = procedure
        unsafe self.clientData = clientData
    }

    func call(_ state: UInt32) { unsafe procedure(clientData, state) }
}

/// A client's listener of a property.
@safe struct PropertyListener: @unchecked Sendable {
    // SAFETY: as above.
    let key: SessionClient.ListenerKey
    private let procedure: AudioSessionPropertyListener
    private let clientData: UnsafeMutableRawPointer?

    init(
        _ property: AudioSessionPropertyID, _ procedure: @escaping AudioSessionPropertyListener,
        _ clientData: UnsafeMutableRawPointer?
    ) {
        key = unsafe SessionClient.ListenerKey(property, procedure, clientData)
        unsafe self.procedure = procedure
        unsafe self.clientData = clientData
    }

    func call(_ value: SessionCall.Value) {
        let property = key.property
        switch value {
        case .number(let number):
            unsafe withUnsafeBytes(of: number) { bytes in
                unsafe procedure(clientData, property, UInt32(bytes.count), bytes.baseAddress)
            }
        case .real(let number):
            unsafe withUnsafeBytes(of: number) { bytes in
                unsafe procedure(clientData, property, UInt32(bytes.count), bytes.baseAddress)
            }
        case .routeChange(let reason, let old, let new):
            // COMPAT: an object is passed itself, not in memory.
            guard let change = RouteObjects.change(reason, from: old, to: new) else { return }
            withExtendedLifetime(change) {
                unsafe procedure(
                    clientData, property, UInt32(MemoryLayout<UInt>.size),
                    UnsafeRawPointer(Unmanaged.passUnretained(change).toOpaque()))
            }
        }
    }
}

extension SessionClient.ListenerKey {
    init(
        _ property: AudioSessionPropertyID, _ procedure: @escaping AudioSessionPropertyListener,
        _ clientData: UnsafeMutableRawPointer?
    ) {
        self.property = property
        // SAFETY: a function pointer is an address, which is only compared.
        self.procedure = unsafe unsafeBitCast(procedure, to: UInt.self)
        self.clientData = UInt(bitPattern: clientData)
    }
}

/// A call of listeners for an event of the session.
enum SessionCall: Sendable {
    enum Value: Sendable {
        case number(UInt32)
        case real(Float32)
        case routeChange(SessionRoute.ChangeReason, from: SessionRoute, to: SessionRoute)
    }

    case interruption(isBeginning: Bool)
    case property(AudioSessionPropertyID, Value)

    /// The calls for an event, in order.
    static func calls(for event: SessionEvent) -> [SessionCall] {
        switch event {
        case .routeChanged(let reason, let old, let new):
            [.property(kAudioSessionProperty_AudioRouteChange, .routeChange(reason, from: old, to: new))]
        case .inputAvailabilityChanged(let isAvailable):
            [.property(kAudioSessionProperty_AudioInputAvailable, .number(isAvailable ? 1 : 0))]
        case .outputChannelsChanged(let channels):
            [
                .property(
                    kAudioSessionProperty_CurrentHardwareOutputNumberChannels,
                    .number(UInt32(clamping: channels)))
            ]
        case .inputChannelsChanged(let channels):
            [
                .property(
                    kAudioSessionProperty_CurrentHardwareInputNumberChannels,
                    .number(UInt32(clamping: channels)))
            ]
        case .outputVolumeChanged(let volume):
            [.property(kAudioSessionProperty_CurrentHardwareOutputVolume, .real(Float32(volume)))]
        case .serverLost: [.property(kAudioSessionProperty_ServerDied, .number(1))]
        case .serverReturned: []
        case .interruptionBegan: [.interruption(isBeginning: true)]
        case .interruptionEnded: [.interruption(isBeginning: false)]
        }
    }
}
