internal import Console
internal import Retrieval

/// A question and the results of every retrieval stage: ranks and scores side by side, a line that follows a
/// chunk, the chunk in its source, and why another was not found.
package struct RetrievalPanel: Panel {
    package static let identifier = "retrieval"
    package static let title = "Retrieval"
    package static let opens: Set<Reference.Kind> = [.chunk, .corpus, .span, .trace, .citation]

    /// The panes, in the order of Tab.
    package enum Pane: String, CaseIterable, Sendable {
        case stages, passage, why, questions
    }

    /// What the large pane shows.
    enum Mode: String, CaseIterable, Sendable {
        case stages, comparison, health
    }

    let engine: RetrievalEngine
    var area = Rect(Size(0, 0))
    var pane = Pane.stages
    var isZoomed = false
    var mode = Mode.stages

    /// What is searched, and how.
    var corpora: [Corpus] = []
    var corpus: Corpus?
    var pipelines: [String] = []
    var pipeline = PipelineChoice.standard
    var query = ""
    /// What is typed so far, while it is.
    var typing: String?
    /// Whether the question is a sample question that the user did not ask.
    var isExample = false
    /// Whether no earlier screen was saved.
    var isFirstSight = false
    /// Names of documents of the corpus, and of models: what completes lines.
    var documents: [String] = []
    var models: [String] = []
    /// The model that answered last.
    var answerModel = ""
    /// A search is under way.
    var isSearching = false
    var fault: String?

    var columns = StageColumns()
    var open: OpenPassage?
    var view = PassageReading.View.chunk
    var text = TextView([])

    /// Why a passage was or was not found: the passage under the cursor, unless another one is pinned.
    var explanation: Explanation?
    /// Whether the user requested ``explanation``, so changes that bring the passage in were tried.
    var isThorough = false
    var remedy = 0
    /// The pinned target of ``explanation``.
    var target: Retriever.Target?
    var why = TextView([])
    /// What exact search says of the stage that was asked about.
    var truth: SearchTruth?

    /// The names of the question sets of the corpus.
    var sets: [String] = []
    var questions = QuestionList()
    var comparison: PipelineContrast?
    var health: CorpusHealth?
    var healthText = TextView([])
    /// The corpus that the last screen showed.
    var wanted: String?
    /// Files waiting for the choice of a corpus, and the possible targets.
    var adding: (path: String, targets: [AddTarget])?
    /// The new corpus that an add is filling. The panel shows it when the add is done, unless the user asks a question
    /// meanwhile.
    var filling: String?
    /// The last change of the corpora, by any process.
    var lastChange: UndoableChange?
    /// Edits made by this page since it was opened: the only ones that `u` undoes.
    var ownEdits: Set<Int64> = []
    /// The newest saved version of each pipeline.
    var pipelineVersions: [String: Int] = [:]
    /// Something was opened from elsewhere and is still to come: what the last screen asked is not asked again.
    var isOpening = false
    /// The span or trace that the record was read from.
    var recordedAt: Reference?
    /// Where a pipeline of our own made the recorded search: it can be made again.
    var own: OwnSearch?
    /// What is asked about once that was done.
    var awaited: Retriever.Target?
    /// The trace that the search was recorded as.
    var recordedIn: Int64?
    /// The trace that holds the call of the model that answered a question of our own.
    var answeredIn: Int64?
    /// The chunks of our corpora that recorded passages are, by label.
    var matches: [PassageID: String] = [:]

    package init(_ context: PanelContext) {
        engine = RetrievalEngine(
            context.workspace, resources: PipelineResources(of: context.workspace), now: context.now)
    }

    var record: RetrievalRecord? { columns.record }

    package var selection: Reference? {
        if pane == .passage, view == .answer, let cited = citedPassage { return cited }
        if let recordedAt, isForeign { return recordedAt }
        guard let passage = columns.selected, let record else {
            return corpus.map { Reference(.corpus, [$0.id], title: $0.name) }
        }
        if let chunk = record[passage].chunk { return Reference(.chunk, [chunk], title: record[passage].label) }
        return nil
    }

    /// What `o` opens in another panel: the passage cited by the answer, or the search as recorded.
    var elsewhere: Reference? {
        if pane == .passage, view == .answer, var cited = citedPassage {
            cited.barred.insert(Self.identifier)
            return cited
        }
        let recorded =
            isForeign ? recordedAt : recordedIn.map { Reference(.trace, [$0], title: record?.query ?? "the search") }
        guard var recorded, recorded.kind == .trace || recorded.kind == .span else { return nil }
        // Other panels open spans of models, not of searches.
        recorded.panels = [TracePage.about.identifier]
        return recorded
    }

    /// Passage of the prompt with the chunk under the cursor, or the first passage that the answer cites, as a
    /// reference into the answering model's prompt.
    var citedPassage: Reference? {
        guard let record, let pieces = record.context?.passages, !pieces.isEmpty, record.answer != nil else {
            return nil
        }
        let selected = columns.selected.flatMap { selected in
            pieces.first { $0.passage == selected || $0.merged.contains(selected) }
        }
        let first = record.answer?.citations.first?.passage
        guard let piece = selected ?? pieces.first(where: { $0.passage == first }) else { return nil }
        let passage = record[piece.passage]
        let title = "\(piece.mark) \(passage.label) in the answer"
        let (trace, span): (Int64, Int)
        if isForeign {
            guard let path = recordedAt?.path, let number = path.first else { return nil }
            (trace, span) = (number, path.count > 1 ? Int(clamping: path[1]) : 0)
        } else {
            guard let answeredIn else { return nil }
            (trace, span) = (answeredIn, 0)
        }
        let found = passage.chunk.map { CitedPassage.Passage.chunk($0) } ?? .place(piece.passage.index)
        return CitedPassage(trace: trace, span: span, passage: found).reference(title: title)
    }

    package mutating func open(_ reference: Reference) -> [Effect<RetrievalAnswer>]? {
        guard let number = reference.path.first else { return nil }
        // Keep the state when the user comes back.
        if reference.kind == .citation, reference == citedPassage { return [] }
        let engine = engine
        switch reference.kind {
        case .corpus:
            isOpening = true
            return [.ask(key: "opening") { _ in .chosen(try engine.corpus(number)) }]
        case .chunk:
            isOpening = true
            return [.ask(key: "opening") { _ in .opened(try engine.passage(chunk: number)) }]
        case .span, .trace, .citation:
            let span = reference.path.count > 1 ? Int(clamping: reference.path[1]) : nil
            isOpening = true
            isSearching = true
            return [
                .cancel(key: "search"),
                .ask(key: "opening") { _ in
                    let (record, matches) = try engine.record(trace: number, span: span)
                    let own = try OwnSearch(trace: number, span: span, in: engine.traces)
                    return .recorded(MatchedBox(record: record, matches: matches, own: own), reference)
                },
            ]
        default: return nil
        }
    }

    package mutating func update(_ event: Event<RetrievalAction, RetrievalAnswer>) -> [Effect<RetrievalAnswer>] {
        switch event {
        case .start(let saved): start(saved)
        case .action(let action): perform(action)
        case .mouse(let mouse): click(mouse)
        case .resize(let area): place(area)
        case .answer(let answer): receive(answer)
        case .failed(let key, let sentence): fail(key, sentence)
        case .changed: reload()
        }
    }

    package func save() -> String { RetrievalScreen(self).text }
}

extension Reference.Kind {
    /// A corpus: `[row]`.
    public static let corpus = Reference.Kind(rawValue: "corpus")
    /// A chunk of a corpus: `[row]`.
    public static let chunk = Reference.Kind(rawValue: "chunk")
}

/// What comes back to the retrieval panel.
package enum RetrievalAnswer: Sendable {
    case corpora(CorpusListBox)
    case chosen(CorpusBox)
    /// What belongs to the corpus that is shown.
    case known(CorpusBox)
    /// The text of the query line after a key, before it is accepted.
    case typed(String)
    case asked(String)
    case cancelledTyping
    case found(RecordBox, by: RetrievalPanel.Asking)
    case recorded(MatchedBox, Reference)
    case read(PassageBox)
    case opened(PassageBox)
    case models([String])
    case explained(ExplanationBox)
    /// A recorded search of our own is to be made again, to ask about a passage.
    case again(AgainBox)
    case measured(TruthBox)
    case pipeline(PipelineBox)
    /// A sentence, and the question set that a case was kept in.
    case kept(String, set: String)
    case done(String)
    /// A sentence about an add, and the row of its edit.
    case added(String, edit: Int64?)
    /// Files for a new corpus with this analyzer.
    case create(path: String, name: String, analyzer: String)
    /// The user confirmed undoing the change in this row.
    case undo(Int64)
    /// The user confirmed saving the pipeline as the next version of a name.
    case save(String)
    case saved(PipelineBox)
    /// The corpora that files can be added to.
    case targets(TargetsBox)
    case questions(QuestionListBox)
    case compared(ComparisonBox)
    case contrasted(PairBox)
    case health(HealthBox)
    case line(Line, String)
    /// Pipeline settings changed in the form.
    case changed(ChangesBox)
    case advanceText
    case copied(String)

    /// What a line was asked for.
    package enum Line: Sendable {
        case corpus, pipeline, why, setting, add, addTo, compare, questions, find, export, saveAs, answerModel
    }
}

/// Values of this panel alone, passed through the shell.
package struct CorpusListBox: Sendable {
    let corpora: [Corpus], pipelines: [String], pipelineVersions: [String: Int], lastChange: UndoableChange?
}
package struct ChangesBox: Sendable { let changes: [Remedy.Change] }
package struct TargetsBox: Sendable { let path: String, targets: [AddTarget] }
package struct CorpusBox: Sendable { let corpus: Corpus, pipelines: [String], sets: [String], documents: [String] }
package struct RecordBox: Sendable {
    let record: RetrievalRecord
    /// The trace that the search was recorded as.
    var recordedIn: Int64?
    /// The trace that holds the call of the model that answered.
    var answeredIn: Int64?
}
package struct MatchedBox: Sendable { let record: RetrievalRecord, matches: [PassageID: String], own: OwnSearch? }
package struct PassageBox: Sendable {
    let passage: OpenPassage
    var corpus: CorpusBox?
    /// The explanation without remedies.
    var explanation: Explanation?
}
package struct ExplanationBox: Sendable {
    let explanation: Explanation, target: Retriever.Target
    /// Whether the explanation stays while the cursor moves.
    let isPinned: Bool
    /// Whether the user just requested the explanation.
    let isAsked: Bool
}
package struct TruthBox: Sendable { let truth: SearchTruth }
package struct PipelineBox: Sendable { let choice: PipelineChoice }
package struct QuestionListBox: Sendable {
    let list: QuestionList
    /// Whether the questions were read from a file or folder, which the footer then confirms.
    var isFromFile = false
}
package struct ComparisonBox: Sendable { let contrast: PipelineContrast }
package struct PairBox: Sendable { let record: RetrievalRecord }
package struct HealthBox: Sendable { let health: CorpusHealth }
