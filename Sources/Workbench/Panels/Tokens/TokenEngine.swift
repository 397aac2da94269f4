internal import Console
internal import KernelLab
internal import Kernels
internal import LanguageModels
internal import ModelLab
internal import Providers
internal import System
internal import Traces
internal import Workspace

/// Operations of the panel: sessions and answers of a workspace, models, and calls of traces.
package struct TokenEngine: Sendable {
    let workspace: Workspace
    let store: GenerationStore
    let house: ModelHouse
    let now: @Sendable () -> Int64

    init(_ workspace: Workspace, now: @escaping @Sendable () -> Int64) {
        self.workspace = workspace
        store = GenerationStore(workspace)
        house = ModelHouse(workspace)
        self.now = now
    }

    /// Lists the sessions.
    ///
    /// - Parameter closingInterrupted: Whether to mark answers that ended with their program first.
    func sessions(closingInterrupted: Bool) throws -> [Session] {
        // Problem is harmless: the list shows such answers as running until the next start marks them.
        if closingInterrupted, workspace.access == .readWrite { try? store.closeInterrupted() }
        return try store.sessions()
    }

    func models() throws -> [ModelEntry] { try house.registry.entries() }

    // MARK: Opening

    func open(_ opening: Opening) throws -> OpenSession {
        switch opening {
        case .row(.session(let id), _): try open(session: id)
        case .row(.answer(let id), _): try open(answer: id)
        case .call(let trace, let span, _): try open(trace: trace, span: span)
        }
    }

    /// Opens a session with its newest answer.
    func open(session id: Int64) throws -> OpenSession {
        guard let session = try store.session(id) else { throw Problem.gone("session \(id)") }
        let answers = try store.generations(of: id)
        let last = try answers.last.flatMap { try store.generation($0.id) }
        return OpenSession(session: session, draft: draft(of: session), answers: answers, answer: last)
    }

    /// Opens the session of an answer, with this answer visible.
    func open(answer id: Int64) throws -> OpenSession {
        guard let answer = try store.generation(id), let session = try store.session(answer.session) else {
            throw Problem.gone("answer \(id)")
        }
        return OpenSession(
            session: session, draft: draft(of: session), answers: try store.generations(of: session.id), answer: answer)
    }

    func answer(_ id: Int64) throws -> Generation {
        guard let answer = try store.generation(id) else { throw Problem.gone("answer \(id)") }
        return answer
    }

    private func draft(of session: Session) -> PromptDocument {
        (try? PromptDocument(stored: session.draft)) ?? PromptDocument()
    }

    /// Opens the session of a recorded model call and creates it on first use: its prompt is the draft, and the
    /// recorded answer is the first answer.
    func open(trace: Int64, span: Int) throws -> OpenSession {
        let origin = Session.Origin(trace: trace, span: span)
        if let known = try store.session(from: origin) { return try open(recordedIn: known.id) }
        guard workspace.access == .readWrite else { throw Problem(.denied, "", TokenPage.readOnlyReason) }
        var call = try RecordedCall(trace: trace, span: span, in: TraceStore(workspace))
        call.splitPrompt(in: house)
        let models = try models()
        let word = call.word(among: models)
        var document = call.document
        // If the model that answered is not available, the next answer comes from another model.
        document.model = word ?? models.first?.name ?? ""
        if let word { call.document.model = word }
        let session = try store.save(
            Session(
                title: call.title, created: now(), changed: now(), draft: document.text, origin: origin))
        let recorded = Generation(
            session: session.id, document: call.document, model: call.model, prompt: call.prompt, steps: call.steps,
            reasoning: call.reasoning, toolCalls: call.toolCalls, started: call.start,
            outcome: Generation.Outcome(.recorded, finish: "recorded", usage: call.usage, seconds: call.seconds))
        try store.save(recorded)
        return try open(recordedIn: session.id)
    }

    /// Opens the session of a recorded call at its recorded answer, which is what users come from the trace for.
    private func open(recordedIn session: Int64) throws -> OpenSession {
        let recorded = try store.generations(of: session).first { $0.outcome.state == .recorded }
        return try recorded.map { try open(answer: $0.id) } ?? open(session: session)
    }

    func makeSession(titled title: String, _ document: PromptDocument) throws -> OpenSession {
        let time = now()
        let session = try store.save(Session(title: title, created: time, changed: time, draft: document.text))
        return try open(session: session.id)
    }

    func delete(_ row: SessionTree.Row.ID) throws {
        switch row {
        case .session(let id): try store.deleteSession(id, at: now())
        case .answer(let id): try store.deleteGeneration(id, at: now())
        }
    }

    func restore(_ row: SessionTree.Row.ID) throws {
        switch row {
        case .session(let id): try store.restoreSession(id)
        case .answer(let id): try store.restoreGeneration(id)
        }
    }

    // MARK: Answering

    /// New steps of an answer, and the state of its model if that runs in this process.
    typealias Growth = (progress: GenerationRun.Progress, live: LiveView?)

    /// Runs a prompt; `watch` receives the generation as it grows.
    func run(
        _ generation: Generation, _ cancellation: Cancellation,
        watch: (Growth) -> Void
    ) throws -> Generation {
        let word = generation.document.model
        let model = try house.model(
            word,
            reportingTo: ModelCallRecorder(
                workspace, conversation: "orrery session \(generation.session)", origin: .chat))
        let run = GenerationRun(store, model: model, now: now)
        let live = LiveReader(house: house, word: word, history: KernelHistory(workspace))
        return try run.run(generation, isCancelled: { cancellation.isCancelled }) { progress in
            watch((progress, live.read()))
        }
    }
}
