// SPDX-License-Identifier: MIT

/// The version of the package, as `--version` and the manual pages print it. Other files take it from here.
public enum PackageVersion {
    public static let text = "0.2.0"
    /// The date of the version, as in CHANGELOG.md.
    public static let date = "2026-11-26"
}
