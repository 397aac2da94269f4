internal import Glibc
internal import JSON
public import Workspace

extension TraceStore {
    /// The kind under which an import is taken up again.
    public static let importJob = "traces.import"

    /// What an import needs to be taken up again, wherever that will be.
    public static func importArguments(_ paths: [String]) -> String {
        var json = JSONWriter()
        json.object { $0.member("paths", paths.map(absolute)) }
        return json.text
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }

    /// Says how imports and text indexes go on after they were cut off: files that were done change nothing when they
    /// are read again, so an import simply starts over.
    public func registerJobs() {
        let store = self
        workspace.jobs.register(Self.importJob) { job, handle in
            let paths = job.arguments.flatMap { try? JSONDocument(parsing: $0) }?.withRoot { root in
                root["paths"]?.elements.compactMap(\.string)
            }
            try store.importTraces(paths ?? [], job: handle)
        }
        workspace.jobs.register(Self.textIndexJob) { _, handle in try store.indexText(job: handle) }
    }

    /// The spans of a run that match a filter, in order of appearance.
    public func spans(matching filter: Filter, in trace: Trace, until cancellation: Cancellation? = nil) throws -> [Int]
    {
        var failure: (any Error)?
        let isMatch = filter.matching(trace.spans, of: trace.summary) { text in
            do {
                return try spans(with: text, in: trace.summary.id, until: cancellation)
            } catch {
                failure = error
                return []
            }
        }
        if let failure { throw failure }
        return isMatch.indices.filter { isMatch[$0] }
    }
}
