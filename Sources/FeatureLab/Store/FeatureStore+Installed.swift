internal import Glibc
internal import Workspace

extension FeatureStore {
    /// Where dictionaries that come with the program lie.
    private static let installedFolder = "sample-data/dictionaries"

    /// Returns the folder of a dictionary that is installed with the program; `nil` if none has the name.
    package static func installed(_ name: String) -> String? {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"),
            let folder = InstalledFiles.folder("\(installedFolder)/\(name)"), access(folder + "/cfg.json", R_OK) == 0
        else { return nil }
        return folder
    }

    /// Names of the dictionaries that come with the program, sorted.
    package static var installedNames: [String] {
        InstalledFiles.names(in: installedFolder).filter { installed($0) != nil }
    }

    /// Names of the dictionaries that come with the program and that this workspace does not have.
    package func namesToAdd() throws -> [String] {
        let known = Set(try dictionaries().map(\.name))
        return Self.installedNames.filter { !known.contains($0) }
    }

    /// Adds a dictionary that comes with the program, with its labels and model; one that is there is left as it is.
    ///
    /// - Parameter modelPath: The file of its model; `nil` looks for a model of its name.
    /// - Returns: `nil` if no installed dictionary has the name.
    @discardableResult
    package func addInstalled(_ name: String, modelPath: String? = nil) throws -> AddedDictionary? {
        guard let folder = Self.installed(name) else { return nil }
        if let known = try dictionaries().first(where: { $0.name == name }) {
            return AddedDictionary(dictionary: known, labels: 0)
        }
        return try add(at: folder, name: name, modelPath: modelPath)
    }
}
