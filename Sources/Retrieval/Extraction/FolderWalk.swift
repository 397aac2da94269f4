internal import Glibc
public import System

extension Extraction {
    /// Returns the files below a path, with the format of each; the path may be a file itself.
    ///
    /// Hidden files and folders, those of version control, links, binary files and what the options exclude are
    /// skipped and named. O(entries); of every file 4 KiB are read.
    public static func files(
        of path: String, options: ExtractionOptions = ExtractionOptions()
    ) throws(Problem) -> SourceListing {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Problem(
                .failed, path, "cannot be opened: \(String(cString: strerror(errno)))",
                remedy: "Check the path and its permissions.")
        }
        var listing = SourceListing()
        if status.st_mode & S_IFMT == S_IFDIR {
            let walk = FolderWalk(root: path, options: options)
            try walk.run(&listing)
        } else if status.st_mode & S_IFMT == S_IFREG {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let folder = path.hasSuffix(name) ? String(path.dropLast(name.count)) : ""
            let isCollection = FolderWalk.isCollection(FolderWalk.names(in: folder.isEmpty ? "." : folder) ?? [])
            FolderWalk.add(path, name: name, status, isCollection: isCollection, options, to: &listing)
        } else {
            throw Problem(.invalid, path, "neither a file nor a folder", remedy: "Name a file or a folder.")
        }
        return listing
    }
}

/// A walk through a folder in the order of names, without recursion: folders may be nested as deep as they like.
struct FolderWalk {
    let root: String
    let options: ExtractionOptions

    /// Folders that hold no text of their own.
    private static let ignored: Set<String> = ["CVS", "_darcs", "node_modules", "__pycache__"]

    private struct Entry {
        var name: String
        var excludes: [ExcludePattern]
        var isCollection: Bool
    }

    func run(_ listing: inout SourceListing) throws(Problem) {
        let excludes = options.excludes.compactMap { ExcludePattern($0, below: "") }
        guard var open = entries(of: "", excludes) else {
            throw Problem(
                .failed, root, "the folder cannot be read: \(String(cString: strerror(errno)))",
                remedy: "Check its permissions.")
        }
        while let entry = open.popLast() {
            let path = join(entry.name)
            let last = entry.name.split(separator: "/").last.map(String.init) ?? entry.name
            var status = stat()
            guard lstat(path, &status) == 0 else {
                listing.report.skip(path, "cannot be read: \(String(cString: strerror(errno)))")
                continue
            }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            if let reason = reasonToSkip(entry, last, status, path) {
                listing.report.skip(path, reason)
            } else if isFolder {
                if let inner = entries(of: entry.name, entry.excludes) {
                    open += inner
                } else {
                    listing.report.skip(path, "the folder cannot be read: \(String(cString: strerror(errno)))")
                }
            } else {
                Self.add(path, name: entry.name, status, isCollection: entry.isCollection, options, to: &listing)
            }
        }
    }

    private func reasonToSkip(_ entry: Entry, _ last: String, _ status: stat, _ path: String) -> String? {
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if last.hasPrefix(".") {
            return [".git", ".hg", ".svn", ".jj"].contains(last) ? "version control data" : "hidden"
        }
        if isFolder, Self.ignored.contains(last) { return "tool folder" }
        if isFolder, entry.isCollection, last == "qrels" { return "judgments of a BEIR collection" }
        if status.st_mode & S_IFMT == S_IFLNK { return linkReason(path) }
        if !isFolder, status.st_mode & S_IFMT != S_IFREG { return "not a regular file" }
        if ExcludePattern.excludes(entry.name, isFolder: isFolder, entry.excludes) { return "excluded" }
        return nil
    }

    private func linkReason(_ path: String) -> String {
        guard let target = realpath(path, nil) else { return "broken symbolic link" }
        defer { free(target) }
        guard let top = realpath(root, nil) else { return "symbolic link" }
        defer { free(top) }
        let isInside = (String(cString: target) + "/").hasPrefix(String(cString: top) + "/")
        return isInside
            ? "symbolic link; its target is read separately" : "symbolic link to a location outside the folder"
    }

    /// Returns a folder's entries, last name first: the stack then gives them in order.
    private func entries(of folder: String, _ inherited: [ExcludePattern]) -> [Entry]? {
        guard let names = Self.names(in: folder.isEmpty ? root : join(folder)) else { return nil }
        var excludes = inherited
        if options.followsGitignore, names.contains(".gitignore") {
            excludes += ExcludePattern.patterns(
                ofFile: join(folder.isEmpty ? ".gitignore" : folder + "/.gitignore"), below: folder)
        }
        let isCollection = Self.isCollection(names)
        return names.sorted(by: >).map { name in
            Entry(name: folder.isEmpty ? name : "\(folder)/\(name)", excludes: excludes, isCollection: isCollection)
        }
    }

    private func join(_ name: String) -> String { root.hasSuffix("/") ? root + name : "\(root)/\(name)" }

    static func names(in folder: String) -> [String]? {
        // The caller reports a folder that cannot be read.
        try? Folder.names(in: folder)
    }

    static func isCollection(_ names: [String]) -> Bool {
        names.contains("corpus.jsonl") && (names.contains("queries.jsonl") || names.contains("qrels"))
    }

    /// Tells the format of a file and lists it, or says why not.
    static func add(
        _ path: String, name: String, _ status: stat, isCollection: Bool, _ options: ExtractionOptions,
        to listing: inout SourceListing
    ) {
        let size = Int(status.st_size)
        var file = SourceFile(
            path: path, name: name, size: size,
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec), kind: .text)
        if isCollection, let reason = BEIRReader.reasonToSkip(name) {
            listing.report.skip(path, reason)
            return
        }
        guard size > 0 else {
            listing.report.skip(path, "empty file")
            return
        }
        var bytes = [UInt8](repeating: 0, count: min(4096, size))
        do throws(Problem) {
            let open = try OpenFile(path)
            var count = 0
            var problem: Problem?
            bytes.withUnsafeMutableBytes { buffer in
                do throws(Problem) { count = try open.read(into: buffer) } catch { problem = error }
            }
            if let problem { throw problem }
            bytes.removeLast(bytes.count - count)
        } catch {
            listing.report.skip(path, error.what)
            return
        }
        let head = SourceHead(
            name: file.lastComponent, suffix: file.suffix, bytes: bytes, isWhole: bytes.count == size,
            hasBEIRNeighbors: isCollection)
        guard let reader = SourceFormats.reader(of: head) else {
            listing.report.skip(path, "binary file")
            return
        }
        file.kind = reader.kind
        if let kinds = options.kinds, !kinds.contains(file.kind) {
            listing.report.skip(path, "kind \(file.kind) was not requested")
            return
        }
        listing.files.append(file)
    }
}
