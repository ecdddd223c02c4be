// SPDX-License-Identifier: MIT

import Foundation
import AQTestSupport

/// A package of a program beside a checkout of this package, in a folder that has another name than the package.
struct ClientPackage {
    let path: String
    private let folder = ScratchFolder()

    /// - Parameter manifest: The manifest, or its arguments from the dependencies on. The path of a dependency, whatever
    ///   it is, becomes that of the checkout.
    init(manifest: String) throws {
        path = "\(folder.path)/program"
        let isWhole = manifest.contains("import PackageDescription")
        let whole =
            isWhole
            ? manifest
            : "// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\nname: \"player\",\n\(manifest))\n"
        let text = whole.replacing(#/path: "[^"]*"/#, with: "path: \"../any-name\"")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/any-name", withDestinationPath: InstalledToolbox.root)
        for target in ["player", "tone", "client"] {
            let sources = "\(path)/Sources/\(target)"
            try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
            try "import Foundation\n\nprint()\n".write(
                toFile: "\(sources)/main.swift", atomically: true, encoding: .utf8)
        }
        try text.write(toFile: "\(path)/Package.swift", atomically: true, encoding: .utf8)
    }

    /// Runs a command of `swift package`, and returns its output.
    @discardableResult
    func package(_ command: String) throws -> String {
        try InstalledToolbox.output(of: "swift", ["package", "--package-path", path, command])
    }
}
