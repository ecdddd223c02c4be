// SPDX-License-Identifier: MIT

import CAQPulse

/// The volumes of a device's channels, as parts of full volume.
extension pa_cvolume {
    init(channelVolumes volumes: [Double]) {
        self.init()
        let count = min(volumes.count, Int(PA_CHANNELS_MAX))
        channels = UInt8(count)
        unsafe withUnsafeMutableBytes(of: &values) { bytes in
            for index in 0..<count {
                let level = max(0, min((volumes[index] * Double(PA_VOLUME_NORM)).rounded(), 1e6))
                unsafe bytes.storeBytes(
                    of: pa_volume_t(level), toByteOffset: index * MemoryLayout<pa_volume_t>.stride,
                    as: pa_volume_t.self)
            }
        }
    }

    /// Empty if the volumes are not valid.
    var channelVolumes: [Double] {
        var copy = self
        guard unsafe pa_cvolume_valid(&copy) != 0 else { return [] }
        return unsafe withUnsafeBytes(of: copy.values) { bytes in
            (0..<Int(copy.channels)).map { index in
                let level = unsafe bytes.load(
                    fromByteOffset: index * MemoryLayout<pa_volume_t>.stride, as: pa_volume_t.self)
                return Double(level) / Double(PA_VOLUME_NORM)
            }
        }
    }
}
