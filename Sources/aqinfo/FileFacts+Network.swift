// SPDX-License-Identifier: MIT

import AQFiles
import AQNetworkInput

extension FileFacts {
    /// Adds what the server states: the size of a file, or a station's name and present title.
    mutating func add(_ input: NetworkInput) {
        fileBytes = input.byteCount
        guard let station = input.station else { return }
        if bitRate <= 0, let stated = station.bitRate { bitRate = stated }
        let fields = [
            ("title", input.waitForTitle()), ("station", station.name), ("genre", station.genre),
            ("web address", station.homepage),
        ]
        for (key, value) in fields {
            guard let value, !value.isEmpty, !information.contains(where: { $0.key == key }) else { continue }
            information.append(AudioFileInformation(key, value))
        }
    }
}
