public import KernelLab

extension DeviceCatalog {
    /// Returns the built-in peaks, preceded by the user's own from a TOML file; `nil` returns only the built-in ones.
    public static func inForce(_ path: String?) throws -> DeviceCatalog {
        guard let path else { return .builtIn }
        return try builtIn.overridden(by: DeviceCatalog(contentsOf: path))
    }
}
