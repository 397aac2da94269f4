internal import Console
internal import LanguageModels
internal import Presentation
public import Traces

/// The trace panel: runs, an opened run as tree and waterfall, what a step saw and answered, and what filled its
/// context.
package struct TracePanel: Panel {
    package static let identifier = "traces"
    package static let title = "Traces"
    package static let opens: Set<Reference.Kind> = [.trace, .span]
    package static let homeOf: Set<Reference.Kind> = [.trace, .span]

    /// The panes, in the order of Tab.
    package enum Pane: String, CaseIterable, Sendable {
        case runs, overview, run, context, detail
    }

    let store: TraceStore
    let now: @Sendable () -> Int64
    /// Path of the user's price table.
    let prices: String?
    var area = Rect(Size(0, 0))
    var pane = Pane.runs
    var isZoomed = false
    var runs = RunList()
    var run: OpenRun?
    /// Run being loaded, and the position to go to afterwards.
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
    var discovered: [DiscoveredSession] = []
    package var discovery = SessionDiscovery.current
    /// Cursor positions in runs that were open before, as span ordinals by trace.
    var positions: [Int64: Int] = [:]
    var ownChanges: [OwnChange] = []

    package init(_ context: PanelContext) {
        store = TraceStore(context.workspace)
        now = context.now
        prices = context.settings.prices
        playback.pace = Playback.Pace(setting: context.settings.pace) ?? .tenfold
    }

    /// A run being loaded.
    struct Loading: Sendable {
        var trace: Int64
        /// Span to go to; `nil` for the landmark, or for the earlier cursor position.
        var span: Int?
        var landmark: Replay.Landmark?
    }

    /// Selected span, or the selected run if none is open.
    package var selection: Reference? {
        if pane != .runs, let run, let span = run.selectedSpan {
            var reference = Reference(.span, [run.trace.summary.id, Int64(span.ordinal)], title: span.name)
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

    package mutating func open(_ reference: Reference) -> [Effect<TraceAnswer>]? {
        guard let trace = reference.path.first, Self.opens.contains(reference.kind) else { return nil }
        let span = reference.path.count > 1 ? Int(reference.path[1]) : nil
        pane = .run
        revealing = trace
        runs.select(trace)
        if let run, run.trace.summary.id == trace {
            layoutPanes()
            if let span, run.trace.spans.indices.contains(span) { return go(to: span) + reveal() }
            return reveal()
        }
        return load(trace, goingTo: span)
    }

    package mutating func update(_ event: Event<TraceAction, TraceAnswer>) -> [Effect<TraceAnswer>] {
        switch event {
        case .start(let saved): start(saved)
        case .action(let action): perform(action)
        case .mouse(let mouse): click(mouse)
        case .resize(let area): place(area)
        case .answer(let answer): receive(answer)
        case .failed(let key, _): forget(key)
        case .changed: noteChange()
        }
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

/// Results of the trace panel's effects.
package enum TraceAnswer: Sendable {
    case firstRuns([TraceSummary])
    case order([Int64])
    case census(TraceCensus)
    case overview(RunOverviewBox)
    case rows([TraceSummary])
    case loaded(OpenRunBox)
    case read(StepReadingBox)
    /// Spans that a search found; `scanned` is `true` if it read texts because the index is incomplete.
    case found([Int], query: String, scanned: Bool)
    /// Sessions that are not in the workspace, and whether the user asked to import them.
    case discovered([DiscoveredSession], importing: Bool)
    /// `only`: the trace of a single file.
    case imported(ImportReport, only: TraceSummary?)
    case done(String)
    case changedRuns(OwnChange?, String)
    case undone(OwnChange, String?)
    case copied(String)
    case indexed
    case line(Line, String)
    case lineChanged(Line, String)
    case lineCancelled(Line)
    case delete([TraceSummary])
    case exportMarked(folder: String, format: String)
    case tick
    case advanceText

    /// Purpose of a line that the user types.
    package enum Line: Hashable, Sendable {
        case runFilter, search, find, rename, importPath, exportStep, exportRun
        /// File of a test case, then the correct answer.
        case caseAnswer(file: String)
    }
}

/// A loaded run.
package struct OpenRunBox: Sendable {
    let run: OpenRun
}

/// The overview of a run that is not open.
package struct RunOverviewBox: Sendable {
    let overview: RunOverview
}

/// Content of a step, as read by the engine.
package struct StepReadingBox: Sendable {
    let reading: StepReading
}
