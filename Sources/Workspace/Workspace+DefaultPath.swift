import Glibc

extension Workspace {
    /// Returns the default path of the workspace: `orrery/default.orrery` in `$XDG_DATA_HOME` or `~/.local/share`, as
    /// the XDG Base Directory Specification defines.
    ///
    /// - Parameter environment: Returns the value of an environment variable; `nil` if it is not set.
    public static func defaultPath(environment: (String) -> String? = Workspace.variable) -> String {
        // The specification says to ignore relative paths.
        let data = environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment("HOME").flatMap { $0.isEmpty ? nil : $0 } ?? "."
        let folder = data ?? home + "/.local/share"
        return (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/orrery/default.orrery"
    }

    /// Creates the missing folders of a file path, each readable only by its owner.
    public static func makeFolder(for path: String) throws(WorkspaceError) {
        try PrivateFile.createFolders(FileLocation.folder(of: path))
    }

    /// Returns the value of an environment variable; `nil` if it is not set.
    public static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
