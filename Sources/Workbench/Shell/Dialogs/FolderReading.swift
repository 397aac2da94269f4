internal import Console
internal import Glibc
internal import System

/// Reads folders and the beginnings of files, for the file browser and completion.
enum FolderReading {
    /// Maximum number of entries; users do not scroll through more.
    private static let most = 20_000

    static var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    /// Returns the entries of a folder, sorted by name.
    static func listing(of folder: String) -> FileBrowser.Listing {
        do {
            let entries = try Folder.names(in: folder, limit: most).compactMap { entry(folder + "/" + $0, name: $0) }
            return FileBrowser.Listing(folder: folder, entries: entries)
        } catch {
            return FileBrowser.Listing(
                folder: folder, entries: [], problem: "\(folder) cannot be opened: \(error.reason).")
        }
    }

    /// Returns a file or folder, following links; `nil` if it is gone or the link is broken.
    private static func entry(_ path: String, name: String) -> FileBrowser.Entry? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        return FileBrowser.Entry(
            name: name, isFolder: isFolder, bytes: isFolder ? 0 : Int(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }

    /// Returns the sorted names in a folder, without `.` and `..`; empty if the folder cannot be read.
    static func names(in folder: String) -> [String] { Folder.readableNames(in: folder, limit: most) }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the first lines of a file, or the names in a folder.
    static func preview(of path: String) -> [String] {
        if isFolder(path) {
            let names = names(in: path)
            return names.isEmpty ? ["The folder is empty."] : Array(names.prefix(60))
        }
        // Open without blocking, so a pipe without a writer delays nothing.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return ["Cannot open the file: \(String(cString: strerror(errno)))."] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return ["The file is empty."] }
        guard !bytes[..<count].contains(0) else { return ["Binary file."] }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.split(separator: "\n", maxSplits: 60, omittingEmptySubsequences: false).prefix(60).map(String.init)
    }
}
