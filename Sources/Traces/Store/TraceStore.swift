public import Workspace

/// The traces of a workspace: imported, listed, read, searched, changed.
///
/// ```swift
/// let workspace = try Workspace.open("team.orrery", migrations: TraceStore.migrations, create: true)
/// let traces = TraceStore(workspace)
/// let report = try traces.importTraces(["~/.claude/projects"])
/// for run in try traces.summaries(matching: Filter(parsing: "errors>0"), by: .newest, limit: 10) { print(run.name) }
/// ```
///
/// An import archives every byte of a source, compressed, together with rows without texts: spans, messages, and events
/// with their times, totals, and places in the source. A text is read on request by parsing its record again; the
/// blocks read last stay in memory (16 MiB).
///
/// A value of this type may be used from any thread, by several at once. Reading never waits for writing.
///
/// - `importTraces`: files and folders, atomically per file, each file once.
/// - `count`, `identifiers`, `summaries`, `find`: lists.
/// - `trace`, `spans`, `messages`, `events`, `message`, `details`, `raw`: one run and its texts.
/// - `search`, `indexText`: full text.
/// - `delete`, `restore`, `rename`, `undo`, `prune`, `marks`: changes.
public struct TraceStore: Sendable {
    public let workspace: Workspace
    let blocks = BlockCache()
    let words = WordCache()

    /// The store of a workspace that was opened with `migrations`.
    public init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    /// The steps that make the tables of traces.
    public static let migrations = [
        Migration("traces: sources, traces, spans, messages, events, search", sql: TraceSchema.tables),
        Migration("traces: origin, project, and note of a run", sql: TraceSchema.origins),
    ]
}
