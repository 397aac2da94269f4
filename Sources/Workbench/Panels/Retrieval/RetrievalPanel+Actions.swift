internal import Console
internal import Formatting
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
        case .answer: askForModel()
        case .corpus: [chooseCorpus()]
        case .pipeline: [choose("Pipeline", .pipeline, pipelineChoices, current: pipeline.named.name)]
        case .setting: [chooseSetting()]
        case .savePipeline:
            [
                choose(
                    "Save as a new version of which pipeline?", .saveAs, pipelines, current: pipeline.named.name,
                    typed: "Save as the new pipeline")
            ]
        case .explain: explainSelected()
        case .explainOther:
            [
                choose(
                    "Why was it not found?", .why, documentNames, current: proposedDocument,
                    typed: "Explain the document")
            ]
        case .nextRemedy: turnRemedy(by: 1)
        case .previousRemedy: turnRemedy(by: -1)
        case .apply: applyRemedy()
        case .truth: measure()
        case .view: nextView()
        case .search: [.prompt(line(.find, "find "))]
        case .nextMatch: find { $0.findNext() }
        case .previousMatch: find { $0.findPrevious() }
        case .toggleWrap: find { $0.setWraps(!$0.wraps) }
        case .compare:
            [
                choosePipelineToCompare()
            ]
        case .questions where sets.isEmpty:
            [
                .browse(
                    FileRequest("Read questions: a .jsonl file or a BEIR folder", .fileOrFolder) {
                        .line(.questions, $0)
                    })
            ]
        case .questions:
            [choose("Questions", .questions, sets, current: questions.name ?? "", typed: "Read questions from")]
        case .keepCase: keepCase()
        case .health: showHealth()
        case .stages: showStages()
        case .add: [.browse(FileRequest("Add files or a folder", .fileOrFolder) { .line(.add, $0) })]
        case .undo: askUndo()
        case .copy: record.map { [.copy(RankingText($0).markdown, what: "the ranking")] } ?? []
        case .export:
            [
                .fill(
                    FormRequest(export: "Export the ranking", name: "retrieval.json", endings: [".json", ".md"]) {
                        .line(.export, $0)
                    })
            ]
        case .elsewhere: elsewhere.map { [.offer($0)] } ?? []
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
        case .questions:
            let before = questions.list.selection
            list(&questions.list)
            if mode == .comparison, questions.list.selection != before { return contrastSelected() }
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
        case .stages where isForeign && own == nil:
            view = .source
            reveal(.passage)
            return showText()
        case .stages where mode == .stages: return explainSelected()
        case .stages where mode == .comparison:
            view = .source
            return showText()
        case .why: return explanation?.remedies.isEmpty ?? true ? explainSelected() : applyRemedy()
        case .questions:
            guard let row = questions.selected else { return [] }
            if mode == .comparison { return contrastSelected() }
            return ask(row.question)
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
        if mode != .stages { return showStages() }
        if target != nil {
            // The Why pane follows the cursor again.
            target = nil
            isThorough = false
            return readSelected()
        }
        guard isForeign, corpus != nil, !query.isEmpty else { return [.back] }
        return [.back] + search(by: .again)
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

    /// Focuses a pane if the screen is too small to show it next to the others.
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

    /// What the sample of an evaluation asked for and did not get.
    private var proposedDocument: String { isForeign ? own?.missing.first ?? "" : "" }

    private func explainSelected() -> [Effect<RetrievalAnswer>] {
        guard let passage = columns.selected, let chunk = record?[passage].chunk else { return [] }
        return explain(.chunk(chunk), isPinned: false)
    }

    private mutating func turnRemedy(by step: Int) -> [Effect<RetrievalAnswer>] {
        guard let count = explanation?.remedies.count, count > 0 else { return [] }
        remedy = (remedy + step + count) % count
        return showWhy(keeping: true)
    }

    private mutating func applyRemedy() -> [Effect<RetrievalAnswer>] {
        guard let explanation, explanation.remedies.indices.contains(remedy) else { return [] }
        // The chunk is asked about again once the pipeline has run: then it says whether the change was enough.
        if let chunk = explanation.passage.chunk { target = .chunk(chunk) }
        return set(explanation.remedies[remedy].changes)
    }

    private mutating func showHealth() -> [Effect<RetrievalAnswer>] {
        guard let corpus else { return [] }
        mode = .health
        pane = .stages
        layoutPanes()
        let engine = engine
        healthText.show([TextSection(StyledLine("reading all texts and segments", .dim))])
        return [
            .ask(key: "health") { cancellation in
                .health(HealthBox(health: try engine.health(corpus, until: cancellation)))
            }
        ]
    }

    private mutating func showStages() -> [Effect<RetrievalAnswer>] {
        let wasComparison = mode == .comparison
        mode = .stages
        layoutPanes()
        return wasComparison ? search(by: .again) : []
    }

    // MARK: Lines

    private var documentNames: [String] {
        if !documents.isEmpty { return documents }
        var seen: Set<String> = []
        return (record?.passages ?? []).map(\.document).filter { seen.insert($0).inserted }
    }

    /// The model that answers unless another is named.
    var usualModel: String {
        if !answerModel.isEmpty { return answerModel }
        let own = pipeline.definition.answer.model
        return own.isEmpty ? models.first ?? "" : own
    }

    /// The pipelines that differ from the one in force: nothing is learned by comparing a pipeline with itself.
    /// Asks for the other side of a comparison: a pipeline, or this one with a setting changed.
    private func choosePipelineToCompare() -> Effect<RetrievalAnswer> {
        let saved = others.map { Choice($0, isCurrent: pipeline.isChanged && $0 == pipeline.named.name) }
        let definition = pipeline.definition
        var variants: [Choice<String>] = []
        if !definition.lexical.isEmpty, !definition.dense.isEmpty {
            variants.append(Choice("dense.enabled = false", facts: ["words only"]))
            variants.append(Choice("lexical.enabled = false", facts: ["vectors only"]))
        }
        variants.append(
            Choice("fusion.keep = \(max(1, definition.fusion.keep / 2))", facts: ["half as many passages"]))
        return .choose(
            ChoiceRequest("Compare with a pipeline", saved + variants, typed: "Change one setting:") {
                .line(.compare, $0)
            })
    }

    private var others: [String] { pipelines.filter { pipeline.isChanged || $0 != pipeline.named.name } }

    private func askForModel() -> [Effect<RetrievalAnswer>] {
        let engine = engine
        return [.ask(key: "models") { _ in .models(try engine.models()) }]
    }

    func line(_ purpose: RetrievalAnswer.Line, _ label: String) -> Prompt<RetrievalAnswer> {
        Prompt(label, history: "retrieval-\(purpose)", accept: { .line(purpose, $0) })
    }

    /// Asks which corpus takes the files: an existing one, with sample data marked, or a new one.
    func targetChooser(_ box: TargetsBox) -> Effect<RetrievalAnswer> {
        let name = box.path.split(separator: "/").last.map(String.init) ?? box.path
        return choose(
            "Add \(name) to", .addTo, box.targets.map(\.text), current: box.targets.first?.text ?? "",
            typed: "Create the corpus")
    }

    /// Asks for one of several names.
    ///
    /// - Parameter typed: What Enter does with text that matches no name; `nil` accepts names only.
    func choose(
        _ title: String, _ purpose: RetrievalAnswer.Line, _ names: [String], current: String, typed: String? = nil
    ) -> Effect<RetrievalAnswer> {
        .choose(
            ChoiceRequest(title, names.map { Choice($0, isCurrent: $0 == current) }, typed: typed) {
                .line(purpose, $0)
            })
    }

    private func chooseCorpus() -> Effect<RetrievalAnswer> {
        let choices = corpora.map { known in
            Choice(
                known.name,
                facts: [
                    known.isSample ? "sample data" : "", "\(Format.count(known.documentCount)) documents",
                    Format.bytes(Int(known.byteCount)),
                ], isCurrent: known.name == corpus?.name)
        }
        return .choose(ChoiceRequest("Corpus", choices) { .line(.corpus, $0) })
    }

    /// Asks which setting to change; typed text such as `dense.k = 24` sets it at once.
    private func chooseSetting() -> Effect<RetrievalAnswer> {
        let choices = pipeline.definition.settings(for: corpus?.settings).map { setting in
            // An empty text that the pipeline sets means its default too.
            let isStandard = !setting.isSet || setting.value.isEmpty
            return Choice(
                setting.name, facts: [isStandard ? "\(setting.standard) (default)" : setting.value],
                detail: setting.help)
        }
        return .choose(
            ChoiceRequest("Settings of \(pipeline.named.name)", choices, typed: "Set") { .line(.setting, $0) })
    }

    /// Asks for the value of one setting; `nil` if there is no such setting.
    private func settingForm(_ name: String) -> Effect<RetrievalAnswer>? {
        let definition = pipeline.definition
        let settings = definition.settings(for: corpus?.settings)
        guard let setting = settings.first(where: { $0.name == name }) else { return nil }
        let field = Form.Field(
            name, value: setting.value, defaultValue: setting.standard, choices: setting.choices,
            allowed: setting.allowed, help: setting.help,
            check: { definition.problem(name, with: $0) })
        return .fill(
            FormRequest(Form("Setting of \(pipeline.named.name)", [field])) { values in
                let value = values[name] ?? ""
                let change = Remedy.Change(key: name, before: definition.value(name), after: value)
                return .changed(ChangesBox(changes: value == setting.value ? [] : [change]))
            })
    }

    /// The question: what it finds is shown while it is typed.
    private var questionLine: Prompt<RetrievalAnswer> {
        Prompt(
            "ask ", text: query, isProposal: true, history: "retrieval-questions", live: { .typed($0) },
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
                // Another process deleted the corpus while the list was open.
                return [.notify("the corpus \(typed) is no longer in the workspace", .failure)]
            }
            return choose(found, by: .person)
        case .pipeline: return choosePipeline(typed)
        case .why: return explain(.document(typed), isPinned: true)
        case .setting:
            if let form = settingForm(typed) { return [form] }
            do {
                return set(try PipelineChoice.settings(typed, of: pipeline.definition))
            } catch {
                return [.notify("\(error)", .failure)]
            }
        case .add: return add(PathCompletion.expanded(typed))
        case .addTo:
            guard let adding else { return [] }
            self.adding = nil
            do {
                let target = try AddTarget(typed, among: adding.targets)
                guard case .new(let name) = target else { return add(adding.path, to: target) }
                return [analyzerForm(adding.path, name)]
            } catch {
                return [.notify("\(error)", .failure)]
            }
        case .compare: return compare(with: typed)
        case .questions: return chooseQuestions(typed.contains("/") ? PathCompletion.expanded(typed) : typed)
        case .export: return export(to: PathCompletion.expanded(typed))
        case .saveAs: return askSave(typed)
        case .answerModel:
            answerModel = typed
            view = .answer
            return search(answeringWith: typed)
        case .find: return []
        }
    }
}
