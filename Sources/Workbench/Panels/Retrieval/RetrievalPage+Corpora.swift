internal import Console
internal import Formatting
internal import Retrieval
internal import SearchIndexes
internal import Workspace

/// The corpora of the workspace: which one is searched, adding files, and undo.
extension RetrievalPage {
    mutating func list(_ found: RetrievalCatalog) -> Work<Self> {
        catalog = found
        let corpora = found.corpora
        if let filled = corpora.first(where: { $0.name == filling && $0.documentCount > 0 }) {
            filling = nil
            return choose(filled, by: .restored)
        }
        guard let corpus else {
            let named = corpora.first { $0.name == wanted }
            wanted = nil
            return (named ?? corpora.first).map { choose($0, by: .restored) } ?? []
        }
        guard let now = corpora.first(where: { $0.id == corpus.id }) else {
            self.corpus = nil
            return [clear(), corpora.first.map { choose($0, by: .restored) } ?? []]
        }
        self.corpus = now
        return now.revision == corpus.revision || isForeign || mode != .stages ? [] : search(by: .restored)
    }

    mutating func show(_ contents: CorpusContents) -> Work<Self> {
        self.contents = contents
        guard questions.name == nil, let name = contents.sets.first else { return [] }
        return chooseQuestions(name)
    }

    /// Asks for the corpus to search.
    func chooseCorpus() -> Work<Self> {
        let choices = catalog.corpora.map { known in
            Choice(
                known.name,
                facts: [
                    known.isSample ? "sample data" : "", "\(Format.count(known.documentCount)) documents",
                    Format.bytes(Int(known.byteCount)),
                ], isCurrent: known.name == corpus?.name, value: known)
        }
        return .choose("Corpus", choices) { page, chosen in
            guard let found = page.catalog.corpora.first(where: { $0.id == chosen.id }) else {
                // Another process deleted the corpus while the list was open.
                return .notify("the corpus \(chosen.name) is no longer in the workspace", .failure)
            }
            return page.choose(found, by: .person)
        }
    }

    /// Searches another corpus. Objects opened from another page stay.
    mutating func choose(_ corpus: Corpus, by asking: Asking) -> Work<Self> {
        let isOther = self.corpus?.id != corpus.id
        let keepsResults = isOpening || isForeign || self.corpus == nil && open != nil
        self.corpus = corpus
        guard isOther else { return [] }
        if isExample { (isExample, query) = (false, "") }
        if keepsResults { return [] }
        truth = nil
        mode = .stages
        starting = asking
        return [clear(), .again("start")]
    }

    /// Searches a newly chosen corpus. Its contents are read first, because a search may take long.
    mutating func searchChosenCorpus() -> Work<Self> {
        guard let asking = starting else { return [] }
        starting = nil
        return search(by: asking)
    }

    // MARK: Adding

    func chooseFiles() -> Work<Self> {
        .browse("Add files or a folder", .fileOrFolder) { page, typed in
            let (path, corpus) = (PathCompletion.expanded(typed.trimmed), page.corpus)
            return path.isEmpty
                ? []
                : page.read("targets", { try $0.targets(for: path, current: corpus) }) { $0.chooseTarget(path, $1) }
        }
    }

    /// Asks which corpus gets the files: an existing one, with sample data marked, or a new one.
    private func chooseTarget(_ path: String, _ targets: [AddTarget]) -> Work<Self> {
        func row(_ target: AddTarget) -> String {
            target == .new(target.name) ? "+ \(target.name)" : target.name + (target.isSample ? " (sample data)" : "")
        }
        let choices = targets.map { Choice(row($0), isCurrent: $0 == targets.first, value: $0) }
        let create = { (page: inout Self, typed: String) -> Work<Self> in
            let name = (typed.hasPrefix("+") ? String(typed.dropFirst()) : typed).trimmed
            if name.isEmpty { return .notify("the new corpus needs a name: type one after +", .failure) }
            guard let known = targets.first(where: { $0 != .new(name) && $0.name == name }) else {
                return page.prepare(path, for: .new(name))
            }
            return .notify(
                known.isSample
                    ? "that name belongs to sample data: choose the row \(row(known)) to add to it anyway"
                    : "a corpus named \(name) already exists: choose its row to add to it", .failure)
        }
        return .choose("Add \(Self.name(of: path)) to", choices, typed: ("Create the corpus", create)) {
            $0.prepare(path, for: $1)
        }
    }

    /// Adds files to a corpus; of a new one, asks for the analyzer, which its index keeps using.
    private mutating func prepare(_ path: String, for target: AddTarget) -> Work<Self> {
        guard case .new(let name) = target else { return add(path, to: target) }
        let analyzer = Form.Field(
            "analyzer", value: CorpusSettings().analyzer, choices: Analyzer.names,
            help: "How text is split into words: a language, words (any language), or cjk (Chinese, Japanese, Korean). "
                + "This choice is permanent.")
        return .value("New corpus \(name)", verb: "add", analyzer) { $0.add(path, to: target, analyzer: $1) }
    }

    /// - Parameter analyzer: Analyzer of a new corpus (default: the usual one).
    private mutating func add(_ path: String, to target: AddTarget, analyzer: String? = nil) -> Work<Self> {
        if case .new(let name) = target { filling = name }
        return job("corpus add", title: "add \(Self.name(of: path)) to \(target.name)") { engine, job in
            let adding = CorpusAdding(engine.store)
            var settings = CorpusSettings()
            if let analyzer { settings.analyzer = analyzer }
            return try adding.add([path], to: adding.corpus(target, settings: settings), job: job)
        } then: { page, added in
            if let edit = added.edit { page.ownEdits.insert(edit) }
            return [.notify(added.sentence + (added.edit == nil ? "." : ". u undoes it."), .success), .changed]
        } failed: { _, _ in
            .changed
        }
    }

    /// The last part of a path.
    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    // MARK: Undo

    /// Last change of the corpora, if this page made it.
    var ownChange: UndoableChange? {
        catalog.lastChange.flatMap { change in change.edit.map(ownEdits.contains) == true ? change : nil }
    }

    func confirmUndo() -> Work<Self> {
        guard let change = ownChange else { return [] }
        let deleted = change.createdCorpus.map { ["This also deletes the corpus \($0), which was empty before."] } ?? []
        return .question(
            Question(
                "Undo \(change.phrase)?",
                lines: ["This removes new documents and restores the previous text of changed ones."] + deleted,
                [.init("u", "undo \(change.phrase)", value: change.row)])
        ) { page, row in
            page.job("corpus undo", title: "undo \(change.phrase)") {
                try CorpusAdding($0.store).undo(only: row, until: $1.cancellation) ?? "there is nothing to undo"
            } then: { _, sentence in
                [.notify(sentence, .success), .changed]
            } failed: { _, _ in
                .changed
            }
        }
    }
}
