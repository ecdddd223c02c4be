// SPDX-License-Identifier: MIT

import Synchronization
import AQThreads

/// The source and the parameters of a bus. Any thread may change them while the unit renders.
final class BusControls: Sendable {
    private let code: Monitor<RenderCode?> = Monitor(nil)
    private let volumeBits = Atomic<UInt32>(Float(1).bitPattern)
    private let panBits = Atomic<UInt32>(Float(0).bitPattern)
    private let enabled = Atomic<Bool>(true)
    let meter = BusMeter()

    /// The client's code, or a connection, that provides the audio of an input.
    var source: RenderCode? {
        get { code.withLock { $0 } }
        set { code.withLock { $0 = newValue } }
    }

    /// The factor of the samples: 0 or more.
    var volume: Float {
        get { Float(bitPattern: volumeBits.load(ordering: .relaxed)) }
        set { volumeBits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// The position between the first two channels: -1 is the first, 1 the second.
    var pan: Float {
        get { Float(bitPattern: panBits.load(ordering: .relaxed)) }
        set { panBits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Whether the bus is audible.
    var isEnabled: Bool {
        get { enabled.load(ordering: .relaxed) }
        set { enabled.store(newValue, ordering: .relaxed) }
    }

    /// The gains that the parameters ask for.
    ///
    /// - Parameter channels: The number of channels of the mix; a mono mix has no positions.
    func gains(channels: Int) -> ChannelGains {
        guard isEnabled else { return ChannelGains() }
        return ChannelGains(volume: volume, pan: channels > 1 ? pan : 0)
    }
}
