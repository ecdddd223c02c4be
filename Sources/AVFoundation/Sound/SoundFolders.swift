// SPDX-License-Identifier: MIT

import Foundation

/// The folders in which sounds are found by their names.
struct SoundFolders {
    /// The extensions of files that can be played, in the order in which they are tried.
    private static let extensions = [
        "wav", "oga", "ogg", "opus", "flac", "aiff", "aif", "caf", "m4a", "mp3", "au", "snd",
    ]

    /// The folders, the first to be searched first.
    let folders: [URL]

    /// The program's resources, then the folders of the user and of the system, as the XDG Base Directory and Sound
    /// Theme specifications name them.
    init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        resources: URL? = Bundle.main.resourceURL
    ) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let user =
            value("XDG_DATA_HOME") ?? (value("HOME") ?? NSHomeDirectory()) + "/.local/share"
        let system = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
        // The specifications ignore relative paths.
        let data = ([user] + system.map(String.init)).filter { $0.hasPrefix("/") }
        folders =
            (resources.map { [$0] } ?? [])
            + data.flatMap { path in
                let sounds = URL(fileURLWithPath: path).appendingPathComponent("sounds")
                return [sounds, sounds.appendingPathComponent("freedesktop/stereo")]
            }
    }

    /// Returns the file of a name; nil if there is none.
    func file(named name: String) -> SoundNames.Source? {
        guard !name.isEmpty, !name.contains("/"), !name.utf8.contains(0) else { return nil }
        let names = [name] + Self.extensions.map { "\(name).\($0)" }
        for folder in folders {
            for name in names {
                let url = folder.appendingPathComponent(name)
                var isFolder = ObjCBool(false)
                if unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
                    !isFolder.boolValue
                {
                    return .file(url)
                }
            }
        }
        return nil
    }
}
