internal import Console
internal import Foundation
internal import LanguageModels
internal import ModelLab
internal import Providers
internal import System

extension TokenPanel {
    // MARK: Asking

    /// Runs the draft. Several runs use consecutive seeds if a seed is set.
    mutating func run(times: Int) -> [Effect<TokenAnswer>] {
        guard let session else { return [] }
        guard !session.draft.model.isEmpty else { return askModel() }
        for index in 0..<times {
            var document = session.draft
            if let seed = document.sampling.seed { document.sampling.seed = seed &+ UInt64(index) }
            queue.append(
                PendingAnswer(
                    generation: Generation(
                        session: session.session.id, document: document, model: document.model, started: engine.now())))
        }
        if running.isEmpty {
            // The question stays visible until its answer arrives.
            self.session?.answer = nil
            refillText()
            text.moveToEnd()
        }
        return saveDraft() + (running.isEmpty ? runNext() : [])
    }

    /// Starts the next answer of the queue.
    mutating func runNext() -> [Effect<TokenAnswer>] {
        guard running.isEmpty, !queue.isEmpty else { return [] }
        return start(queue.removeFirst().generation)
    }

    private mutating func start(_ generation: Generation) -> [Effect<TokenAnswer>] {
        let engine = engine
        let key = "answer \(generation.session)"
        running[key] = 0
        text.follows = true
        return [
            .stream(key: key) { cancellation, tell in
                .finished(
                    key: key,
                    try engine.run(generation, cancellation) { tell(.progress(key: key, $0, $1)) })
            }
        ]
    }

    /// Continues the answer from the selected alternative, after the same earlier tokens.
    mutating func branch() -> [Effect<TokenAnswer>] {
        guard let answer, let (index, step) = step else { return [] }
        let rows = AlternativesTable.rows(of: step)
        guard rows.indices.contains(alternatives.selection) else { return [] }
        let chosen = rows[alternatives.selection].alternative
        var branch = Generation(
            session: answer.session, parent: .init(generation: answer.id, step: index), document: answer.document,
            model: answer.model, prompt: answer.prompt, steps: Array(answer.steps.prefix(index)),
            started: engine.now())
        branch.steps.append(
            TokenStep(
                text: chosen.text, id: chosen.id, logProbability: chosen.logProbability, entropy: step.entropy,
                alternatives: step.alternatives, stages: step.stages))
        queue.append(PendingAnswer(generation: branch))
        pane = .text
        layoutPanes()
        return running.isEmpty ? runNext() : []
    }

    mutating func say(_ typed: String) -> [Effect<TokenAnswer>] {
        guard !typed.isEmpty else { return [] }
        guard let open = session, !open.isSample else {
            var document = freshDocument
            document.input = .messages([Message(.user, [.text(typed)])], tools: [])
            return makeSession(document, running: true)
        }
        session?.draft = open.continued(saying: typed)
        return run(times: 1)
    }

    // MARK: The draft

    mutating func askModel() -> [Effect<TokenAnswer>] {
        [
            .choose(
                ModelChoices.request(
                    "Model", knownModels ?? [], current: session?.draft.model ?? "",
                    cancelled: TokenAnswer.lineCancelled(.model)
                ) { .line(.model, $0) })
        ]
    }

    /// Asks for all sampling settings, with their current values.
    func askSettings() -> [Effect<TokenAnswer>] {
        guard let draft = session?.draft else { return [] }
        // A model that the workspace does not know by name counts as an endpoint.
        let isLocal = knownModels?.contains { $0.name == draft.model && $0.file != nil } == true
        let fields = draft.settings(isLocal: isLocal).map { setting in
            Form.Field(
                setting.name, value: setting.value, defaultValue: setting.defaultText, allowed: setting.allowed,
                check: setting.check)
        }
        return [
            .fill(
                FormRequest(Form("Settings: an empty value means the default", fields)) { values in
                    .line(.settings, fields.map { "\($0.name)=\(values[$0.name] ?? "")" }.joined(separator: " "))
                })
        ]
    }

    func choose(model typed: String) -> [Effect<TokenAnswer>] {
        guard !typed.isEmpty else { return [] }
        if typed == ModelChoices.findFile { return [.browse(ModelChoices.browse { .line(.model, $0) })] }
        let (engine, word) = (engine, PathCompletion.expanded(typed))
        return [
            .ask(key: "choose") { _ in
                _ = try engine.house.specification(of: word)
                return .chosen(word)
            }
        ]
    }

    /// Uses a model for the next answers of the session.
    mutating func take(model word: String) -> [Effect<TokenAnswer>] {
        let told = Effect<TokenAnswer>.notify("this session now uses \(word)", .success)
        guard session != nil else { return makeSession(PromptDocument(model: word), running: false) + [told] }
        session?.draft.model = word
        return saveDraft() + [told]
    }

    mutating func apply(settings typed: String) -> [Effect<TokenAnswer>] {
        guard var draft = session?.draft else { return [] }
        do {
            try draft.apply(settings: typed)
            session?.draft = draft
            return saveDraft() + [.notify(draft.settingsLine, .success)]
        } catch {
            // The line of a setting that was typed alone says nothing.
            var problem = error
            problem.subject = ""
            return [.notify(problem.sentence, .failure)]
        }
    }

    /// Turns a conversation into plain text to continue, and plain text into a question.
    mutating func toggleMode() -> [Effect<TokenAnswer>] {
        guard var draft = session?.draft else { return [] }
        switch draft.input {
        case .messages(let messages, _):
            let texts = messages.flatMap(\.parts).compactMap { if case .text(let text) = $0 { text } else { nil } }
            draft.input = .text(texts.joined(separator: "\n"))
        case .text(let text): draft.input = .messages(text.isEmpty ? [] : [Message(.user, [.text(text)])], tools: [])
        case .tokens:
            return [.notify("A prompt of token IDs cannot switch modes. Press E to edit it.", .information)]
        }
        session?.draft = draft
        session?.answer = nil
        refillText()
        let isText = if case .text = draft.input { true } else { false }
        return saveDraft() + [
            .notify(isText ? "The model now continues plain text." : "The model now replies in a chat.")
        ]
    }

    private func saveDraft() -> [Effect<TokenAnswer>] {
        guard let open = session else { return [] }
        var session = open.session
        session.draft = open.draft.text
        session.changed = engine.now()
        if session.title == Self.untitled, !open.draft.isEmpty {
            session.title = String(
                open.draft.caption.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(60))
        }
        let (store, kept) = (engine.store, session)
        return [.ask(key: "save \(kept.id)") { _ in .saved(try store.save(kept)) }]
    }

    mutating func editDraft() -> [Effect<TokenAnswer>] {
        guard let session else { return [] }
        do {
            let known = draft.flatMap { $0.session == session.session.id ? $0.path : nil }
            let path = try known ?? DraftFile.write(session.draft.text)
            draft = (session.session.id, path)
            return [.edit(path: path, then: .edited(path: path))]
        } catch {
            return [.notify("\(error)", .failure)]
        }
    }

    mutating func readDraft(from path: String) -> [Effect<TokenAnswer>] {
        let text: String
        do {
            text = try DraftFile.read(path)
        } catch {
            draft = nil
            return [.notify("\(error)", .failure)]
        }
        do {
            session?.draft = try PromptDocument(text: text)
            DraftFile.remove(path)
            draft = nil
            if session?.isDraftChanged == true { session?.answer = nil }
            refillText()
            return saveDraft()
        } catch {
            return [.notify("The prompt is unchanged: \(error) Press E to reopen your text.", .failure)]
        }
    }

    // MARK: Sessions

    static let untitled = "new session"

    mutating func newSession() -> [Effect<TokenAnswer>] {
        var document = freshDocument
        if let session, !session.isSample {
            document.sampling = session.draft.sampling
            if case .text = session.draft.input { document.input = .text("") }
        }
        return makeSession(document, running: false)
    }

    /// Empty conversation with the selected model and its default settings.
    private var freshDocument: PromptDocument {
        PromptDocument(model: session?.draft.model ?? knownModels?.first?.name ?? "")
    }

    private mutating func makeSession(_ document: PromptDocument, running: Bool) -> [Effect<TokenAnswer>] {
        let (engine, title) = (engine, Self.untitled)
        pane = .text
        layoutPanes()
        return [
            .ask(key: "open") { _ in
                let time = engine.now()
                let session = try engine.store.save(
                    Session(title: title, created: time, changed: time, draft: document.text))
                return .made(OpenSessionBox(open: try engine.open(session: session.id)), running: running)
            }
        ]
    }

    mutating func rename(to typed: String) -> [Effect<TokenAnswer>] {
        guard !typed.isEmpty else { return [] }
        session?.session.title = typed
        return saveDraft()
    }

    func add(model typed: String) -> [Effect<TokenAnswer>] {
        guard !typed.isEmpty else { return [] }
        if typed == ModelChoices.findFile { return [.browse(ModelChoices.browse { .line(.addModel, $0) })] }
        let engine = engine
        return [
            .ask(key: "add") { _ in
                let entry = try engine.house.add(PathCompletion.expanded(typed), name: nil, at: engine.now())
                return .done("added \(entry.name): M selects it")
            }
        ]
    }

    func export(to typed: String) -> [Effect<TokenAnswer>] {
        guard !typed.isEmpty, let session else { return [] }
        let export = GenerationExport(session: session.session, draft: session.draft, answer: session.answer)
        let path = PathCompletion.expanded(typed)
        return [.ask(key: "export") { _ in .done(try export.write(to: path)) }]
    }
}
