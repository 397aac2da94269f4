import Glibc
import System

/// Which files an import reads, in what order, and which of them belong together.
struct ImportPlan {
    /// A file and the files of its sub-agents: imported together or not at all.
    struct Unit {
        var importer: any TraceImporter.Type
        /// The session itself first.
        var files: [File]
        /// Whether the user named it, so that what is wrong with it ends the import.
        var isNamed: Bool
    }

    struct File {
        /// Canonical; `-` for standard input and pipes without a name.
        var name: String
        /// What to open.
        var path: String

        init(_ name: String, path: String? = nil) {
            self.name = name
            self.path = path ?? name
        }
    }

    private(set) var units: [Unit] = []
    private(set) var otherFiles = 0
    private(set) var foreignFiles: [String] = []
    private(set) var problems: [String] = []
    private(set) var bytesTotal = 0
    /// Whether the search was canceled before every file was found.
    private(set) var isCut = false

    private struct Candidate {
        var path: String
        var importer: any TraceImporter.Type
        var isNamed: Bool
    }

    private var candidates: [Candidate] = []
    private var spools: [Spool] = []
    private var seen: Set<String> = []
    private let options: ImportOptions

    /// Bytes of a file by which its format is recognized.
    static let headSize = 64 << 10

    /// - Parameter isCancelled: Checked for every file: a folder may hold a million.
    init(_ paths: [String], options: ImportOptions, isCancelled: () -> Bool) throws {
        self.options = options
        if let format = options.format, TraceFormats.named(format) == nil {
            throw ImportError(
                path: paths.first ?? "", problem: "unknown format \"\(format)\"",
                remedy: "Supported formats: \(TraceFormats.list).")
        }
        for path in paths where !isCancelled() {
            if path == "-" {
                try addStream(STDIN_FILENO, "-", named: path, isCancelled)
                continue
            }
            var status = stat()
            guard stat(path, &status) == 0 else { throw ImportError(path: path, code: errno) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: addFolder(Self.canonical(path), isCancelled)
            case S_IFREG: try addFile(Self.canonical(path), named: path)
            default: try addStream(at: path, isCancelled)
            }
        }
        isCut = isCancelled()
        joinCompanions()
    }

    /// The path without links and dots, so that a file has one name.
    static func canonical(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private mutating func addStream(at path: String, _ isCancelled: () -> Bool) throws {
        // A pipe of a shell's `<(...)` has no name of its own, only the number under which this process holds it.
        let name = realpath(path, nil).map { resolved in
            defer { free(resolved) }
            return String(cString: resolved)
        }
        // O_NONBLOCK: a pipe without a writer must not prevent cancellation.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ImportError(path: path, code: errno) }
        defer { close(descriptor) }
        try addStream(descriptor, name ?? "-", named: path, isCancelled)
    }

    /// A stream is kept in an unnamed file first: then it is read, compared and archived like any other.
    private mutating func addStream(
        _ descriptor: Int32, _ name: String, named path: String, _ isCancelled: () -> Bool
    ) throws {
        guard seen.insert(name == "-" ? path : name).inserted else { return }
        let spool = try Spool(copying: descriptor, named: path, isCancelled: isCancelled)
        // What was cut says nothing of its format.
        guard !isCancelled() else { return }
        let importer = try importer(of: spool.path, named: path)
        units.append(Unit(importer: importer, files: [File(name, path: spool.path)], isNamed: true))
        bytesTotal += try FileStamp(path: spool.path).size
        spools.append(spool)
    }

    private mutating func addFile(_ path: String, named name: String) throws {
        guard seen.insert(path).inserted else { return }
        let importer = try importer(of: path, named: name)
        candidates.append(Candidate(path: path, importer: importer, isNamed: true))
    }

    private func importer(of path: String, named name: String) throws -> any TraceImporter.Type {
        let head = try Self.head(of: path)
        guard let format = options.format, let importer = TraceFormats.named(format) else {
            return try TraceFormats.importer(of: head, path: name)
        }
        if let found = try? TraceFormats.importer(of: head, path: name), found.format != format {
            throw ImportError(
                path: name, problem: "the format is \(found.format), not \(format)",
                remedy: "Omit --format to detect the format from the content.")
        }
        return importer
    }

    // Folders that are links are not entered: they may lead in circles.
    private mutating func addFolder(_ folder: String, _ isCancelled: () -> Bool) {
        var folders = [folder]
        while let next = folders.popLast(), !isCancelled() {
            let names: [String]
            do {
                names = try Folder.names(in: next)
            } catch {
                problems.append(ImportError(path: next, code: error.code).sentence)
                continue
            }
            var inner: [String] = []
            for name in names where !isCancelled() {
                let path = next == "/" ? "/" + name : next + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                let isLink = status.st_mode & S_IFMT == S_IFLNK
                if isLink, stat(path, &status) != 0 { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: if !isLink { inner.append(path) }
                case S_IFREG: addFound(isLink ? Self.canonical(path) : path)
                default: break
                }
            }
            folders.append(contentsOf: inner.reversed())
        }
    }

    private mutating func addFound(_ path: String) {
        guard seen.insert(path).inserted else { return }
        do throws(ImportError) {
            let head = try Self.head(of: path)
            guard let importer = try? TraceFormats.importer(of: head, path: path),
                options.format == nil || importer.format == options.format
            else {
                otherFiles += 1
                // A workspace among the files needs no report.
                let known = path.hasSuffix(".orrery") ? nil : head.withUnsafeBufferPointer { ForeignFormat.known($0) }
                if let known, foreignFiles.count < ImportReport.mostNamed { foreignFiles.append("\(path): \(known)") }
                return
            }
            candidates.append(Candidate(path: path, importer: importer, isNamed: false))
        } catch {
            problems.append(error.sentence)
        }
    }

    /// Puts companions behind the file they belong to, once; what is left stands alone.
    private mutating func joinCompanions() {
        var owned: Set<String> = []
        var companions: [[String]] = []
        for candidate in candidates {
            let own =
                options.followsCompanions
                ? candidate.importer.companions(of: candidate.path).map(Self.canonical).filter {
                    $0 != candidate.path && !owned.contains($0)
                } : []
            owned.formUnion(own)
            companions.append(own)
        }
        for (candidate, own) in zip(candidates, companions) where !owned.contains(candidate.path) {
            let paths = [candidate.path] + own
            units.append(
                Unit(importer: candidate.importer, files: paths.map { File($0) }, isNamed: candidate.isNamed))
            for path in paths { bytesTotal += (try? FileStamp(path: path).size) ?? 0 }
        }
        candidates = []
    }

    private static func head(of path: String) throws(ImportError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ImportError(path: path, code: errno) }
        defer { close(descriptor) }
        var problem: Int32 = 0
        let head = [UInt8](unsafeUninitializedCapacity: headSize) { buffer, count in
            while count < headSize {
                let got = Glibc.read(descriptor, buffer.baseAddress! + count, headSize - count)
                if got > 0 {
                    count += got
                } else if got == 0 {
                    break
                } else if errno != EINTR {
                    problem = errno
                    break
                }
            }
        }
        if problem != 0 { throw ImportError(path: path, code: problem) }
        return head
    }
}
