// SPDX-License-Identifier: MIT

extension MP4WrittenTrack {
    func appendDurations(
        _ bytes: inout HeaderBytes, of samples: MP4WrittenSamples, lastPacketFrames: Int64
    ) {
        let count = UInt32(clamping: samples.count)
        var runs: [(packets: UInt32, frames: UInt32)] = [(count, framesPerPacket)]
        if lastPacketFrames < framesPerPacket, count > 0 {
            runs = [(count - 1, framesPerPacket), (1, UInt32(lastPacketFrames))]
        }
        runs.removeAll { $0.packets == 0 }
        bytes.appendFullBox("stts") {
            $0.append(big: UInt32(runs.count))
            for run in runs {
                $0.append(big: run.packets)
                $0.append(big: run.frames)
            }
        }
    }

    func appendChunkTables(_ bytes: inout HeaderBytes, of samples: MP4WrittenSamples) {
        // Each fragment is a chunk; consecutive chunks of equal length share an entry.
        let starts = samples.fragments.indices.filter {
            $0 == 0 || samples.fragments[$0].packets != samples.fragments[$0 - 1].packets
        }
        bytes.appendFullBox("stsc") {
            $0.append(big: UInt32(starts.count))
            for start in starts {
                $0.append(big: UInt32(start + 1))
                $0.append(big: samples.fragments[start].packets)
                $0.append(big: UInt32(1))
            }
        }
        bytes.appendFullBox("stsz") {
            $0.append(big: UInt32(0))
            $0.append(big: UInt32(clamping: samples.sizes.count))
            for size in samples.sizes { $0.append(big: size) }
        }
        let isLong = (samples.fragments.last?.byteOffset ?? 0) > Int64(UInt32.max)
        bytes.appendFullBox(isLong ? "co64" : "stco") {
            $0.append(big: UInt32(samples.fragments.count))
            for fragment in samples.fragments {
                if isLong {
                    $0.append(big: fragment.byteOffset)
                } else {
                    $0.append(big: UInt32(fragment.byteOffset))
                }
            }
        }
    }
}
