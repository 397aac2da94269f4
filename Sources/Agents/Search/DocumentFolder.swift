internal import Glibc
internal import System

/// The readable texts of a folder and its subfolders, with a line for everything left out.
///
/// No link is followed: a link within the folder would only repeat a file, and any other link leads out of it. Names
/// that begin with a dot are left out silently.
struct DocumentFolder {
    private(set) var documents: [String] = []
    private(set) var reading = SearchTool.Reading()
    private var found = 0

    private static let mostFiles = 100_000

    /// - Throws: `ToolError` for an unreadable folder, for more than 64 MiB or 100,000 files, and if no file holds text.
    init(_ folder: String) throws(ToolError) {
        guard let resolved = realpath(folder, nil) else { throw TextFile.failure(folder) }
        defer { free(resolved) }
        try read(folder, root: String(cString: resolved), isRoot: true)
        guard documents.isEmpty else { return }
        let reason = reading.skipped.first.map { ". First of \(reading.skipped.count) skipped files: \($0)" } ?? ""
        throw ToolError("\(folder): the folder has no readable text\(reason)")
    }

    private mutating func read(_ folder: String, root: String, isRoot: Bool) throws(ToolError) {
        // The user may name a link to a folder; below it, a folder that became a link is not entered.
        let names: [String]
        do {
            names = try Folder.names(in: folder, followsLink: isRoot).filter { !$0.hasPrefix(".") }
        } catch {
            guard !isRoot else { throw TextFile.failure(folder) }
            return skip(folder, "cannot open the folder")
        }
        for name in names {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try read(path, root: root, isRoot: false)
            case S_IFREG: try add(path)
            case S_IFLNK:
                if !Self.stays(path, in: root) { skip(path, "symbolic link to a location outside the folder") }
            default: skip(path, "not a regular file")
            }
        }
    }

    private mutating func add(_ path: String) throws(ToolError) {
        found += 1
        guard found <= Self.mostFiles else { throw ToolError("\(path): the folder has more than 100,000 files") }
        let bytes: [UInt8]
        do throws(ToolError) { bytes = try TextFile.bytes(path, follows: false) } catch {
            return reading.skipped.append(error.sentence)
        }
        switch TextFile.content(bytes) {
        case .failure(let reason): skip(path, reason.sentence)
        case .success(let text):
            reading.bytes += bytes.count
            guard reading.bytes <= SearchTool.maximumBytes else {
                throw ToolError("\(path): the folder's files exceed \(SearchTool.maximumBytes >> 20) MiB in total")
            }
            reading.files += 1
            documents.append(text)
        }
    }

    private mutating func skip(_ path: String, _ reason: String) { reading.skipped.append("\(path): \(reason)") }

    private static func stays(_ link: String, in root: String) -> Bool {
        guard let resolved = realpath(link, nil) else { return false }
        defer { free(resolved) }
        let target = String(cString: resolved)
        return target == root || target.hasPrefix(root == "/" ? root : root + "/")
    }
}
