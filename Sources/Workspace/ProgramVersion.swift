/// The version shown by `--version`, the man page, the name of the tarball, and every recorded run.
public enum ProgramVersion {
    /// Version number of the program.
    public static let number = "0.1.0"
}
