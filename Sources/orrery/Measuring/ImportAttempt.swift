import Glibc
import Traces

/// An import of what a person named: the good paths come in, however many of the others cannot be read.
struct ImportAttempt {
    private(set) var report = ImportReport()
    /// Why named paths did not come in, a sentence each.
    private(set) var failures: [String] = []

    /// - Throws: what ends the whole import, and what is wrong with the only path.
    init(
        _ paths: [String], into store: TraceStore, options: ImportOptions, progress: (ImportProgress) -> Void
    ) throws {
        // What can be read only once goes last: it is not touched before all others are known to be there.
        var rest = paths.filter { !Self.isReadOnce($0) } + paths.filter(Self.isReadOnce)
        while !rest.isEmpty {
            do {
                report = try store.importAsJob(rest, options: options, progress: progress)
                break
            } catch let error as ImportError where paths.count > 1 && !error.isCancellation {
                // The error names the path as it was typed or as it is without links.
                let bad = rest.filter { $0 == error.path || Self.resolved($0) == error.path }
                guard !bad.isEmpty else { throw error }
                failures.append(error.sentence)
                rest.removeAll(where: bad.contains)
            }
        }
        // A folder that was named and cannot be listed is no less a failure than such a file.
        let folders = rest.filter { access($0, F_OK) == 0 && access($0, R_OK | X_OK) != 0 && Self.isFolder($0) }
            .map(Self.resolved)
        failures += report.problems.filter { problem in folders.contains { problem.hasPrefix("\($0): ") } }
        report.problems.removeAll(where: failures.contains)
        guard failures.isEmpty, report.files == 0, !report.isCancelled else { return }
        if report.problems.isEmpty {
            let others =
                switch report.otherFiles {
                case 0: "no files"
                case 1: "one file, which is no trace"
                default: "\(report.otherFiles) files, none of them a trace"
                }
            failures.append("\(rest.joined(separator: ", ")): nothing to import: \(others).")
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
