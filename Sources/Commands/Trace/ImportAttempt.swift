import Glibc
import Traces

/// An import of several paths: good paths are imported even if others cannot be read.
struct ImportAttempt {
    private(set) var report = ImportReport()
    /// One sentence for each path that failed.
    private(set) var failures: [String] = []

    /// - Throws: An error that ends the whole import, or the error of the only path.
    init(
        _ paths: [String], into store: TraceStore, options: ImportOptions, progress: (ImportProgress) -> Void
    ) throws {
        // Import streams last: they can be read only once, so read them only after all other paths have been checked.
        var rest = paths.filter { !Self.isReadOnce($0) } + paths.filter(Self.isReadOnce)
        while !rest.isEmpty {
            do {
                report = try store.importAsJob(rest, options: options, progress: progress)
                break
            } catch let error as ImportError where paths.count > 1 && !error.isCancellation {
                // The error may name the path as typed or with links resolved.
                let bad = rest.filter { $0 == error.path || Self.resolved($0) == error.path }
                guard !bad.isEmpty else { throw error }
                failures.append(error.sentence)
                rest.removeAll(where: bad.contains)
            }
        }
        // A folder that cannot be listed is a failure, like an unreadable file.
        let folders = rest.filter { access($0, F_OK) == 0 && access($0, R_OK | X_OK) != 0 && Self.isFolder($0) }
            .map(Self.resolved)
        failures += report.problems.filter { problem in folders.contains { problem.hasPrefix("\($0): ") } }
        report.problems.removeAll(where: failures.contains)
        guard failures.isEmpty, report.files == 0, !report.isCancelled else { return }
        if report.problems.isEmpty {
            let others =
                switch report.otherFiles {
                case 0: "no files"
                case 1: "one file, which is not a trace"
                default: "\(report.otherFiles) files, none of which is a trace"
                }
            failures.append(
                "\(rest.joined(separator: ", ")): nothing to import: \(others). Choose a file or folder with traces.")
        } else {
            failures = report.problems
            report.problems = []
        }
    }

    private static func isFolder(_ path: String) -> Bool { kind(path) == S_IFDIR }

    private static func isReadOnce(_ path: String) -> Bool {
        path == "-" || kind(path).map { $0 != S_IFDIR && $0 != S_IFREG } ?? false
    }

    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
