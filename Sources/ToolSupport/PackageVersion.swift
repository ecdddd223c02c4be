/// The version of the package, as `--version` prints it.
public enum PackageVersion {
    public static let text = "0.1.0"
}
