/// The version that appears in `--version`, the man page, the tarball name, and every recorded run.
public enum ProgramVersion {
    /// Version number of the program.
    public static let number = "0.1.0"
}
