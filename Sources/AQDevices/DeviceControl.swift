// SPDX-License-Identifier: MIT

/// A change of the volume of a sink or source, for all programs.
///
/// Volumes are on the scale of a volume control: 0 is silence, 1 is full volume, and the gain is the cube. Values out of
/// 0 to 1 count as the nearer bound.
public enum DeviceControl: Sendable, Equatable {
    case mute(Bool)
    /// The volume of the loudest channel. The ratios of the channels do not change.
    case volume(Double)
    /// The volume of one channel, counted from 0.
    case channelVolume(channel: Int, Double)
    /// The balance of a device with two channels: 0 is left only, 1 is right only. The louder channel keeps its volume.
    case balance(Double)

    /// Returns the volumes of the channels after this change; nil if it does not apply to them.
    public func volumes(changing volumes: [Double]) -> [Double]? {
        switch self {
        case .mute: return nil
        case .volume(let value):
            let value = DeviceControl.bounded(value)
            guard let loudest = volumes.max() else { return nil }
            guard loudest > 0 else { return volumes.map { _ in value } }
            return volumes.map { $0 / loudest * value }
        case .channelVolume(let channel, let value):
            guard volumes.indices.contains(channel) else { return nil }
            var changed = volumes
            changed[channel] = DeviceControl.bounded(value)
            return changed
        case .balance(let value):
            guard volumes.count == 2, let loudest = volumes.max() else { return nil }
            let value = DeviceControl.bounded(value)
            return [loudest * min(1, 2 * (1 - value)), loudest * min(1, 2 * value)]
        }
    }

    /// The balance of two channels, as ``balance(_:)`` sets it; nil for another number of channels.
    public static func balance(of volumes: [Double]) -> Double? {
        guard volumes.count == 2 else { return nil }
        let (left, right) = (volumes[0], volumes[1])
        if left == right { return 0.5 }
        return left > right ? right / left / 2 : 1 - left / right / 2
    }

    /// With this order of the arguments, NaN becomes 0.
    private static func bounded(_ value: Double) -> Double { max(0, min(value, 1)) }
}
