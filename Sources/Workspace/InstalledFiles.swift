internal import Glibc
internal import System

/// Files installed with the program: themes, notebooks, and sample data.
package enum InstalledFiles {
    /// Returns the path of an installed folder: under `$ORRERY_DATA_DIR`, next to the installed program, or in the
    /// source tree of the build.
    ///
    /// - Returns: `nil` if the folder is in none of these locations.
    package static func folder(_ name: String) -> String? {
        candidates.map { $0 + "/" + name }.first { access($0, R_OK | X_OK) == 0 }
    }

    /// Returns the sorted names of an installed folder's entries, except hidden ones.
    package static func names(in name: String) -> [String] {
        guard let path = folder(name) else { return [] }
        return Folder.readableNames(in: path).filter { !$0.hasPrefix(".") }
    }

    private static var candidates: [String] {
        var found: [String] = []
        if let named = getenv("ORRERY_DATA_DIR") { found.append(String(cString: named)) }
        guard let program = realpath("/proc/self/exe", nil) else { return found }
        defer { free(program) }
        var folder = parent(String(cString: program))
        found.append(parent(folder) + "/share/orrery")
        while folder.count > 1 {
            if access(folder + "/Package.swift", R_OK) == 0 {
                found.append(folder)
                break
            }
            folder = parent(folder)
        }
        return found
    }

    private static func parent(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        return "/" + parts.dropLast().joined(separator: "/")
    }
}
