internal import Glibc
internal import Providers
internal import Workspace

extension ModelHouse {
    /// Returns the names of local models: those in the registry, followed by the bundled models that
    /// are not in the registry.
    package func localNames() throws -> [String] {
        let entries = try registry.entries()
        let taken = Set(entries.map(\.name))
        let folder = "sample-data/models"
        let installed = InstalledFiles.names(in: folder).filter { name in
            !taken.contains(name)
                && InstalledFiles.folder("\(folder)/\(name)").map { access($0 + "/config.json", R_OK) == 0 } ?? false
        }
        return entries.filter { $0.file != nil }.map(\.name) + installed
    }

    /// Returns the path of a named model; `nil` if the name is unknown or the model does not run in this process.
    package func localPath(of name: String) -> String? {
        guard case .local(let path)? = try? specification(of: name), ModelPath.exists(path) else { return nil }
        return path
    }
}
