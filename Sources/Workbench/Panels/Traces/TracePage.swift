internal import Console
internal import LanguageModels
internal import Presentation
public import Traces
internal import Workspace

/// Runs, an open run as tree and waterfall, the conversation at a step, and what fills its context.
package struct TracePage: Page {
    package static let about = PageInfo("traces", "Traces", opens: [.trace, .span], homeOf: [.trace, .span])
    package static let onePaneReason = "Press Enter to open the run first."

    package enum PaneName: String, Sendable {
        case runs, overview, run, context, detail
    }

    package let engine: TraceEngine
    let now: @Sendable () -> Int64
    package var screen = Screen(PaneName.runs)
    var runs = RunList()
    var run: OpenRun?
    /// Run being read, and where to go in it.
    var loading: Loading?
    /// Overview of the run under the list's cursor, while no run is open.
    var overview: RunOverview?
    /// Run opened from outside the list, until the list shows it.
    var revealing: Int64?
    var reading: StepReading?
    var text = TextView([])
    var view = StepReading.View.conversation
    var showsAllMessages = false
    var playback = Playback()
    /// Sessions of coding agents on this machine that are not in the workspace.
    var discovered: [DiscoveredSession] = []
    /// Values that the completion of a filter offers.
    var words: [FilterField: [String]] = [:]
    /// Cursor positions in runs that were open before, as span ordinals by trace.
    var positions: [Int64: Int] = [:]
    var ownChanges: [OwnChange] = []

    package init(_ context: PanelContext) { self.init(context, discovery: .current) }

    /// Creates the page.
    ///
    /// - Parameter discovery: Finds the sessions of coding agents on this machine.
    package init(_ context: PanelContext, discovery: SessionDiscovery) {
        engine = TraceEngine(
            store: TraceStore(context.workspace), prices: context.settings.prices, discovery: discovery)
        now = context.now
        playback.pace = Playback.Pace(setting: context.settings.pace) ?? .tenfold
    }

    /// Selected span, or the selected run if none is open.
    package var selection: Reference? {
        if screen.focus != .runs, let run, let span = run.selectedSpan {
            var reference = Reference(.span, [run.id, Int64(span.ordinal)], title: span.name)
            reference.barred = Self.panels(barredFrom: span)
            return reference
        }
        return runs.selected.map { Reference($0) }
    }

    /// Returns the panels that have nothing to show of a span, although they open spans: only model calls have tokens,
    /// and a user's program returns only text.
    private static func panels(barredFrom span: Span) -> Set<String> {
        let isProgram = ["exec:", "./", "../", "/"].contains { span.model?.hasPrefix($0) == true }
        switch span.kind {
        case .model where !isProgram: return []
        case .agent, .chain, .other: return []
        default: return [TokenPage.about.identifier, AttentionPage.about.identifier]
        }
    }

    package func preview(of reference: Reference) -> Preview.Work {
        { [engine = engine] _ in try engine.preview(of: reference) }
    }

    package static func reads(_ reads: inout Reads<Self>) {
        reads.add(
            "census", for: { $0.runs.filter }, in: .runs,
            cancellable: { try $0.store.census(matching: $1, until: $2) },
            then: { page, census in
                page.runs.census = census
                return []
            })
        // The first page appears at once, then the whole order.
        reads.add(
            "runs", for: { $0.runs.question }, in: .runs,
            cancellable: {
                try $0.store.summaries(matching: $1.filter, by: $1.order, limit: RunList.page, until: $2)
            }, then: { $0.show(firstPage: $1) })
        reads.add(
            "order", for: { $0.runs.question }, in: .runs,
            cancellable: { try $0.store.identifiers(matching: $1.filter, by: $1.order, until: $2) },
            then: { $0.show(order: $1) })
        reads.add("rows", for: \.runs.missing, read: { try $0.store.summaries($1) }) { $0.add($1) }
        reads.add(
            "overview", for: \.overviewed, in: .overview,
            cancellable: { try RunOverview(of: $1, store: $0.store, cancellation: $2) },
            then: { page, overview in
                page.overview = overview
                return []
            }, clear: { $0.overview = nil })
        reads.add(
            "trace", for: \.loading, in: .run, followsWorkspace: false,
            cancellable: { try $0.open($1.trace, $2) }, then: { $0.show($1) },
            failed: { page, _ in page.leaveLoading() }
        )
        reads.add(
            "step", for: \.question, in: .detail, followsWorkspace: false,
            cancellable: { try StepReading(of: $1, store: $0.store, cancellation: $2) }, then: { $0.show($1) },
            clear: { $0.reading = nil })
        reads.add(
            "discover", for: { _ in true }, followsWorkspace: false,
            cancellable: { engine, _, _ in try engine.newSessions() },
            then: { page, sessions in
                page.discovered = sessions
                return []
            })
        // New values come with new runs.
        reads.add("words", for: \.runs.census, read: { engine, _ in try engine.filterWords() }) { $0.words = $1 }
    }

    /// Run of the overview; `nil` while the overview is hidden.
    private var overviewed: TraceSummary? { screen.area(of: .overview) == nil ? nil : runs.selected }

    /// The step to read; while the cursor moves quickly, unfinished reads are skipped.
    private var question: StepReading.Question? {
        guard let run, let span = run.selectedSpan else { return nil }
        return StepReading.Question(span: span, replay: run.replay, view: view, showsAll: showsAllMessages)
    }

    // MARK: Saved state

    package mutating func archive(_ archive: inout Archive) {
        rememberPosition()
        var filter = runs.filter.text
        var (trace, span) = (run?.id ?? loading?.trace, run?.selected ?? loading?.span)
        let newest = positions.sorted { $0.key < $1.key }.suffix(200)
        var saved = Dictionary(uniqueKeysWithValues: newest.map { (String($0.key), $0.value) })
        archive("filter", &filter)
        archive("scope", &runs.scope)
        archive("order", &runs.order.column)
        archive("descending", &runs.order.isDescending)
        archive("trace", &trace)
        archive("span", &span)
        archive("positions", &saved)
        guard archive.isReading else { return }
        // A filter that this version cannot parse counts as none.
        runs.filter = (try? Filter(parsing: filter)) ?? .everything
        for (trace, span) in saved { if let trace = Int64(trace) { positions[trace] = span } }
        guard let trace else { return screen.isZoomed = false }
        loading = Loading(trace: trace, span: span, pane: screen.focus == .runs ? .run : screen.focus, isRestored: true)
    }
}

extension Reference {
    /// Creates a reference to a trace, for other panels and the command line.
    public init(_ trace: TraceSummary) { self.init(.trace, [trace.id], title: trace.name) }
}

extension Reference.Kind {
    /// A trace: `[row]`.
    public static let trace = Reference.Kind(rawValue: "trace")
    /// A span of a trace: `[row, ordinal]`.
    public static let span = Reference.Kind(rawValue: "span")
}
