internal import Console
internal import Retrieval

extension RetrievalPanel {
    mutating func perform(_ action: RetrievalAction) -> [Effect<RetrievalAnswer>] {
        switch action {
        case .moveDown: move({ $0.move(by: 1) }, { $0.move(by: 1) }, { $0.scroll(by: 1) })
        case .moveUp: move({ $0.move(by: -1) }, { $0.move(by: -1) }, { $0.scroll(by: -1) })
        case .pageDown: move({ $0.movePages(1) }, { $0.movePages(1) }, { $0.scrollPages(by: 1) })
        case .pageUp: move({ $0.movePages(-1) }, { $0.movePages(-1) }, { $0.scrollPages(by: -1) })
        case .toTop: move({ $0.moveToStart() }, { $0.moveToStart() }, { $0.scrollToTop() })
        case .toEnd: move({ $0.moveToEnd() }, { $0.moveToEnd() }, { $0.scrollToEnd() })
        case .left: sideways(by: -1)
        case .right: sideways(by: 1)
        case .open: openSelected()
        case .back: back()
        case .nextPane: turnPane(by: 1)
        case .previousPane: turnPane(by: -1)
        case .zoom: toggleZoom()
        case .ask: [.prompt(questionLine)]
        case .run: search()
        case .answer: [.prompt(line(.answerModel, "answer with ", text: pipeline.definition.answer.model))]
        case .corpus: [.prompt(line(.corpus, "corpus ", completing: corpora.map(\.name)))]
        case .pipeline: [.prompt(line(.pipeline, "pipeline ", completing: pipelines))]
        case .setting: [.prompt(line(.setting, "set ", completing: PipelineDefinition.keys.map { $0 + " = " }))]
        case .savePipeline: [.prompt(line(.saveAs, "keep as ", text: pipeline.named.name, completing: pipelines))]
        case .explain: explainSelected()
        case .explainOther: [.prompt(line(.why, "why not ", completing: documentNames))]
        case .nextRemedy: turnRemedy(by: 1)
        case .previousRemedy: turnRemedy(by: -1)
        case .apply: applyRemedy()
        case .truth: measure()
        case .view: nextView()
        case .search: [.prompt(line(.find, "find "))]
        case .nextMatch: find { $0.findNext() }
        case .previousMatch: find { $0.findPrevious() }
        case .toggleWrap: find { $0.setWraps(!$0.wraps) }
        case .compare: [.prompt(line(.compare, "compare with ", completing: pipelines))]
        case .questions: [.prompt(line(.questions, "questions ", completing: sets))]
        case .keepCase: keepCase()
        case .health: showHealth()
        case .stages: showStages()
        case .add: [.prompt(line(.add, "add ", path: true))]
        case .copy: record.map { [.copy(RankingText($0).markdown, what: "the ranking")] } ?? []
        case .export: [.prompt(line(.export, "export to ", text: "retrieval.json", path: true))]
        case .elsewhere: selection.map { [.offer($0)] } ?? []
        }
    }

    // MARK: Moving

    private mutating func move(
        _ along: (inout StageColumns) -> Void, _ list: (inout ListView) -> Void, _ scroll: (inout TextView) -> Void
    ) -> [Effect<RetrievalAnswer>] {
        switch pane {
        case .stages where mode == .health: scroll(&healthText)
        case .stages:
            along(&columns)
            return readSelected()
        case .questions: list(&questions.list)
        case .passage: scroll(&text)
        case .why: scroll(&why)
        }
        return advanceText()
    }

    private mutating func sideways(by step: Int) -> [Effect<RetrievalAnswer>] {
        switch pane {
        case .stages where mode != .health:
            columns.turn(by: step)
            return readSelected()
        case .passage: text.scrollSideways(by: step * 8)
        case .why: return turnRemedy(by: step)
        default: return []
        }
        return advanceText()
    }

    private mutating func openSelected() -> [Effect<RetrievalAnswer>] {
        switch pane {
        case .stages where mode == .stages: return explainSelected()
        case .why: return applyRemedy()
        case .questions:
            guard let row = questions.selected else { return [] }
            guard mode == .comparison, let comparison, let corpus else { return ask(row.question) }
            let engine = engine
            return [
                .ask(key: "search") { cancellation in
                    .contrasted(
                        PairBox(record: try engine.both(row.question, comparison, in: corpus, until: cancellation)))
                }
            ]
        default: return []
        }
    }

    private mutating func back() -> [Effect<RetrievalAnswer>] {
        if isZoomed { return toggleZoom() }
        if pane != .stages {
            pane = .stages
            layoutPanes()
            return advanceText()
        }
        return mode == .stages ? [.back] : showStages()
    }

    private mutating func turnPane(by step: Int) -> [Effect<RetrievalAnswer>] {
        let all = Pane.allCases
        pane = all[((all.firstIndex(of: pane) ?? 0) + step + all.count) % all.count]
        layoutPanes()
        return advanceText()
    }

    private mutating func toggleZoom() -> [Effect<RetrievalAnswer>] {
        isZoomed.toggle()
        layoutPanes()
        return advanceText()
    }

    /// Goes to a pane where the screen has no room to show it beside the others.
    mutating func reveal(_ wanted: Pane) {
        if !placedPanes.contains(where: { $0.pane == wanted }) { pane = wanted }
        layoutPanes()
    }

    // MARK: Reading

    private mutating func nextView() -> [Effect<RetrievalAnswer>] {
        let all = PassageReading.View.allCases
        view = all[((all.firstIndex(of: view) ?? 0) + 1) % all.count]
        reveal(.passage)
        return showText()
    }

    /// The text that is searched: that of the pane with the keys.
    var reading: TextView { pane == .why ? why : mode == .health && pane == .stages ? healthText : text }

    mutating func find(_ change: (inout TextView) -> Void) -> [Effect<RetrievalAnswer>] {
        switch pane {
        case .why: change(&why)
        case .stages where mode == .health: change(&healthText)
        default:
            change(&text)
            reveal(.passage)
        }
        return advanceText()
    }

    // MARK: Why

    private func explainSelected() -> [Effect<RetrievalAnswer>] {
        guard let passage = columns.selected, let chunk = record?[passage].chunk else { return [] }
        return explain(.chunk(chunk))
    }

    private mutating func turnRemedy(by step: Int) -> [Effect<RetrievalAnswer>] {
        guard let count = explanation?.remedies.count, count > 0 else { return [] }
        remedy = (remedy + step + count) % count
        return showWhy(keeping: true)
    }

    private mutating func applyRemedy() -> [Effect<RetrievalAnswer>] {
        guard let explanation, explanation.remedies.indices.contains(remedy) else { return [] }
        let change = explanation.remedies[remedy]
        let changes = [Remedy.Change(key: change.key, before: change.before, after: change.after)] + change.further
        return set(changes)
            + (explanation.passage.chunk.map { explain(.chunk($0)) } ?? [])
    }

    private mutating func showHealth() -> [Effect<RetrievalAnswer>] {
        guard let corpus else { return [] }
        mode = .health
        pane = .stages
        layoutPanes()
        let engine = engine
        return [.ask(key: "health") { cancellation in .health(HealthBox(health: try engine.health(corpus, until: cancellation))) }]
    }

    private mutating func showStages() -> [Effect<RetrievalAnswer>] {
        let wasComparison = mode == .comparison
        mode = .stages
        layoutPanes()
        return wasComparison && !query.isEmpty ? search() : []
    }

    // MARK: Lines

    private var documentNames: [String] {
        var names: [String] = []
        for passage in record?.passages ?? [] where !names.contains(passage.document) { names.append(passage.document) }
        return names
    }

    func line(
        _ purpose: RetrievalAnswer.Line, _ label: String, text: String = "", completing words: [String] = [],
        path: Bool = false
    ) -> Prompt<RetrievalAnswer> {
        let among: @Sendable (String) -> [String] = { typed in words.filter { typed.isEmpty || $0.contains(typed) } }
        return Prompt(
            label, text: text, history: "retrieval-\(purpose)", complete: path ? PathCompletion.candidates : among,
            accept: { .line(purpose, $0) })
    }

    /// The question: what it finds is shown while it is typed.
    private var questionLine: Prompt<RetrievalAnswer> {
        Prompt(
            "ask ", text: query, history: "retrieval-questions", live: { .typed($0) },
            cancelled: RetrievalAnswer.cancelledTyping, accept: { .asked($0) })
    }

    mutating func accept(_ purpose: RetrievalAnswer.Line, _ typed: String) -> [Effect<RetrievalAnswer>] {
        let typed = typed.trimmed
        if purpose == .find {
            return find { $0.find(typed) }
        }
        guard !typed.isEmpty else { return [] }
        switch purpose {
        case .corpus:
            guard let found = corpora.first(where: { $0.name == typed }) else {
                return [.notify("there is no corpus \(typed): Tab lists them", .failure)]
            }
            return choose(found)
        case .pipeline: return choosePipeline(typed)
        case .why: return explain(.document(typed))
        case .setting:
            let parts = typed.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, !parts[1].isEmpty else {
                return [.notify("a setting is a key and a value: dense.k = 24", .failure)]
            }
            return set([.init(key: parts[0], before: pipeline.definition.value(parts[0]), after: parts[1])])
        case .add: return add(PathCompletion.expanded(typed))
        case .compare: return compare(with: typed)
        case .questions: return chooseQuestions(typed)
        case .export: return export(to: PathCompletion.expanded(typed))
        case .saveAs: return savePipeline(typed)
        case .answerModel:
            view = .answer
            return set([.init(key: "answer.model", before: pipeline.definition.value("answer.model"), after: "\"\(typed)\"")])
        case .find: return []
        }
    }
}
