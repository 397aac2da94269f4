internal import Console
internal import Formatting
internal import Retrieval

/// The retrieval page: a question and the results of every stage side by side, with a line that follows a chunk, the
/// chunk in its source, and why another chunk was not found.
package struct RetrievalPage: Page {
    package static let about = PageInfo("retrieval", "Retrieval", opens: [.chunk, .corpus, .span, .trace, .citation])

    package enum PaneName: String, Sendable {
        case query, stages, passage, why, questions
    }

    /// Contents of the large pane.
    enum Mode: Sendable {
        case stages, comparison, health
    }

    package let engine: RetrievalEngine
    package var screen = Screen(PaneName.stages)
    var mode = Mode.stages

    // MARK: What is searched

    var catalog = RetrievalCatalog()
    var corpus: Corpus? {
        didSet {
            guard corpus?.id != oldValue?.id else { return }
            (contents, questions, comparison) = (CorpusContents(), QuestionList(), nil)
        }
    }
    /// Trigger of the first search in a newly chosen corpus.
    var starting: Asking?
    var contents = CorpusContents()
    var pipeline = PipelineChoice.standard
    var query = ""
    /// Text typed so far, while the question line is open.
    var typing: String?
    /// Whether the question is a sample question that the user did not ask.
    var isExample = false
    /// Whether no earlier screen was saved.
    var isFirstVisit = true
    /// Corpus of the saved screen.
    var wanted: String?
    /// New corpus that an add is filling. The page shows it when the add is done, unless the user asks a question
    /// meanwhile.
    var filling: String?
    /// Edits made by this page since it was opened: the only ones that `u` undoes.
    var ownEdits: Set<Int64> = []
    /// Model that answered last.
    var answerModel = ""

    // MARK: Results

    var isSearching = false
    /// Whether an object opened from another page is loading. The question of the saved screen is not repeated then.
    var isOpening = false
    var fault: String?
    var columns = StageColumns()
    /// Trace that recorded the search.
    var recordedIn: Int64?
    /// Trace with the call of the model that answered.
    var answeredIn: Int64?
    /// Search that was opened from a trace.
    var recorded: RecordedSearch?
    /// Comparison of the dense stage with exact search.
    var truth: SearchTruth?

    // MARK: The passage

    var open: OpenPassage?
    /// Explained chunk that no stage ranks, shown until the cursor moves.
    var aside: Int64?
    var view = PassageReading.View.chunk
    var text = TextView([])
    /// View, question, and passage of ``text``.
    var textPlace: [String] = []

    // MARK: Why

    /// Explanation of the passage under the cursor, or of a pinned one.
    var explanation: Explanation?
    /// Whether ``explanation`` includes remedies, because the user requested it.
    var isThorough = false
    var remedy = 0
    /// Pinned target of ``explanation``.
    var target: Retriever.Target?
    /// Target to explain once its recorded search has been repeated.
    var awaited: Retriever.Target?
    var why = TextView([])
    /// Explanation that ``why`` shows.
    var whyShown: Explanation?

    // MARK: Judging

    var questions = QuestionList()
    var comparison: PipelineContrast?
    var health = TextView([])

    package init(_ context: PanelContext) { engine = RetrievalEngine(context.workspace, now: context.now) }

    var record: RetrievalRecord? { columns.record }

    /// Whether the visible search was recorded in a trace.
    var isForeign: Bool { if case .trace = record?.origin { true } else { false } }

    // MARK: Reads

    package static func reads(_ reads: inout Reads<Self>) {
        reads.add("corpora", for: { _ in true }, read: { engine, _ in try engine.catalog() }, then: { $0.list($1) })
        reads.add(
            "corpus", for: \.corpus, followsWorkspace: false,
            cancellable: { engine, corpus, _ in
                try engine.contents(of: corpus.id)
            }, then: { $0.show($1) })
        reads.perform("start", for: { _ in true }) { page, _ in page.searchChosenCorpus() }
        reads.add(
            "contrast", for: \.contrastQuestion, followsWorkspace: false, cancellable: { try $0.both($1, until: $2) }
        ) { page, record in
            page.columns.show(record)
            return []
        }
        reads.add(
            "health", for: { $0.mode == .health ? $0.corpus : nil }, followsWorkspace: false,
            cancellable: { try $0.retriever.health(of: $1, until: $2) }
        ) { page, health in
            page.health.show(HealthReading(health: health).sections)
            return []
        }
        reads.follow("gold", followsWorkspace: false, \.goldPassages) { $0.columns.gold = $0.goldPassages }
        reads.follow(
            "cursor", followsWorkspace: false, { [$0.columns.generation, $0.columns.selected] as [AnyHashable] }
        ) { $0.followCursor() }
        reads.perform("passage", for: \.passageQuestion) { $0.readPassage($1) }
        // The passage need not wait for the explanation, which takes longer.
        reads.perform("pinned", for: { _ in true }) { page, _ in page.explainPinned() }
        reads.follow("text", followsWorkspace: false, \.textSources) { $0.showText() }
        reads.follow(
            "why", followsWorkspace: false,
            { [$0.explanation, $0.remedy, $0.isThorough, $0.columns.generation] as [AnyHashable] }
        ) { $0.showWhy() }
    }

    // MARK: Saved state

    package mutating func archive(_ archive: inout Archive) {
        var (name, definition, base) = (pipeline.named.name, pipeline.definition.toml, pipeline.base.toml)
        wanted = corpus?.name ?? wanted
        archive("view", &view)
        archive("corpus", &wanted)
        archive("query", &query)
        archive("pipeline", &name)
        archive("definition", &definition)
        archive("base", &base)
        guard archive.isReading else { return }
        isFirstVisit = false
        // If this version cannot read the saved pipeline, the standard pipeline stays in place.
        if let definition = try? PipelineDefinition(definition, path: name),
            let base = try? PipelineDefinition(base, path: name)
        {
            pipeline = PipelineChoice(NamedPipeline(name: name, definition: definition), base: base)
        }
    }
}

extension Reference.Kind {
    /// A corpus: `[row]`.
    public static let corpus = Reference.Kind(rawValue: "corpus")
    /// A chunk of a corpus: `[row]`.
    public static let chunk = Reference.Kind(rawValue: "chunk")
}
