import Glibc

extension Workspace {
    /// Where the workspace lies unless the user names another: `orrery/default.orrery` under the data folder of the XDG
    /// base directory specification, `$XDG_DATA_HOME` or `~/.local/share`.
    ///
    /// - Parameter environment: asks for a variable; nil where it is not set.
    public static func defaultPath(environment: (String) -> String? = Workspace.variable) -> String {
        // The specification has a relative path be ignored.
        let data = environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment("HOME").flatMap { $0.isEmpty ? nil : $0 } ?? "."
        let folder = data ?? home + "/.local/share"
        return (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/orrery/default.orrery"
    }

    /// Makes the folders of a file that are missing, each readable by its owner only.
    public static func makeFolder(for path: String) throws(WorkspaceError) {
        try PrivateFile.createFolders(FilePlace.folder(of: path))
    }

    /// The value of an environment variable.
    public static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
