/// The version that `--version`, the man page, the tarball's name and every recorded run show.
public enum ProgramVersion {
    public static let number = "0.1.0"
}
