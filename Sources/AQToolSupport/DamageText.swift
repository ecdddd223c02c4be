// SPDX-License-Identifier: MIT

/// Damage that more than one tool reports.
public enum DamageText {
    /// `1 packet is damaged and was replaced by silence`; nil for none.
    public static func silentPackets(_ packets: Int) -> String? {
        switch packets {
        case ..<1: nil
        case 1: "1 packet is damaged and was replaced by silence"
        default: "\(packets) packets are damaged and were replaced by silence"
        }
    }
}
