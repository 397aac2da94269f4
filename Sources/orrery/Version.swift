/// The version that `--version`, the man page and the tarball's name show.
enum Version {
    static let number = "0.1.0"
}
