public import KernelLab

extension DeviceCatalog {
    /// The peaks that come with the program, with those of a person's TOML file before them.
    public static func inForce(_ path: String?) throws -> DeviceCatalog {
        guard let path else { return .builtIn }
        return try builtIn.overridden(by: DeviceCatalog(contentsOf: path))
    }
}
