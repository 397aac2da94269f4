internal import Glibc
internal import JSON
public import Workspace

extension TraceStore {
    /// The kind under which an import is taken up again.
    public static let importJob = "traces.import"

    /// Imports as `importTraces` does, as a job of the workspace: cut off by kill -9, it shows in the list and can be
    /// taken up again.
    ///
    /// What can be read only once (standard input, a pipe) could not be taken up, so it makes no job.
    ///
    /// - Throws: `ImportError` for the first file that cannot be imported, with which the job has failed;
    ///   `WorkspaceError`.
    @discardableResult
    public func importAsJob(
        _ paths: [String], options: ImportOptions = ImportOptions(), cancellation: Cancellation? = nil,
        progress: (ImportProgress) -> Void = { _ in }
    ) throws -> ImportReport {
        guard !paths.contains(where: Self.isReadOnce) else {
            return try importTraces(paths, options: options, cancellation: cancellation, progress: progress)
        }
        var report = ImportReport()
        let arguments = Self.importArguments(paths, options: options)
        try workspace.jobs.run(Self.importJob, title: Self.importTitle(paths), unit: "bytes", arguments: arguments) {
            handle in
            report = try importTraces(
                paths, options: options, job: handle, cancellation: cancellation, progress: progress)
            try finish(handle, with: report)
            return nil
        }
        return report
    }

    /// Ends the job of an import as its report says: canceled, or done with the report as its result.
    public func finish(_ handle: JobHandle, with report: ImportReport) throws {
        if report.isCancelled { handle.cancelled() } else { try handle.finish(result: report.json()) }
    }

    /// What an import needs to be taken up again, wherever that will be. Prices are not in it: an import that is taken
    /// up again has the built-in ones.
    public static func importArguments(_ paths: [String], options: ImportOptions = ImportOptions()) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("paths", paths.map(absolute))
            if options.isStrict { json.member("strict", true) }
            if !options.followsCompanions { json.member("companions", false) }
            if let format = options.format { json.member("format", format) }
            if options.origin != .agent { json.member("origin", options.origin.name) }
            json.member("project", ifPresent: options.project)
        }
        return json.text
    }

    /// The paths and options that `importArguments` wrote; `nil` for anything else.
    private static func importRequest(_ arguments: String?) -> (paths: [String], options: ImportOptions)? {
        guard let arguments, let document = try? JSONDocument(parsing: arguments) else { return nil }
        return document.withRoot { root in
            guard let paths = root["paths"]?.elements.compactMap(\.string) else { return nil }
            let options = ImportOptions(
                isStrict: root["strict"]?.bool ?? false, format: root["format"]?.string,
                followsCompanions: root["companions"]?.bool ?? true,
                origin: root["origin"]?.string.flatMap { TraceOrigin(name: $0) } ?? .agent,
                project: root["project"]?.string)
            return (paths, options)
        }
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }

    private static func importTitle(_ paths: [String]) -> String {
        guard let path = paths.first, paths.count == 1 else { return "import \(paths.count) files and folders" }
        return "import \(path.split(separator: "/").last.map(String.init) ?? path)"
    }

    private static func isReadOnce(_ path: String) -> Bool {
        if path == "-" { return true }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }

    /// Says how imports and text indexes go on after they were cut off: files that were done change nothing when they
    /// are read again, so an import simply starts over.
    public func registerJobs() {
        let store = self
        workspace.jobs.register(Self.importJob) { job, handle in
            guard let request = Self.importRequest(job.arguments) else {
                let reason = "job \(job.id) does not record its files: import the files again"
                throw WorkspaceError.other(path: store.workspace.path, reason: reason)
            }
            handle.restart()
            let report = try store.importTraces(request.paths, options: request.options, job: handle)
            try store.finish(handle, with: report)
        }
        workspace.jobs.register(Self.textIndexJob) { _, handle in try store.indexText(job: handle) }
    }
}
