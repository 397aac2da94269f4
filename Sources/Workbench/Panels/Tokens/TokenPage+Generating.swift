internal import Console
internal import LanguageModels
internal import ModelLab

extension TokenPage {
    /// Runs the draft. Several runs use consecutive seeds if a seed is set.
    mutating func run(times: Int) -> Work<Self> {
        guard let session else { return [] }
        guard !session.draft.model.isEmpty else { return askModel() }
        for index in 0..<times {
            var document = session.draft
            if let seed = document.sampling.seed { document.sampling.seed = seed &+ UInt64(index) }
            queue.append(
                Generation(
                    session: session.session.id, document: document, model: document.model, started: engine.now()))
        }
        if running.isEmpty {
            // The question stays visible until its answer arrives.
            self.session?.answer = nil
            refillText()
            text.moveToEnd()
        }
        return [saveDraft(), runNext()]
    }

    /// Starts the next answer of the queue.
    private mutating func runNext() -> Work<Self> {
        guard running.isEmpty, !queue.isEmpty else { return [] }
        let generation = queue.removeFirst()
        let key = "answer \(generation.session)"
        running[key] = 0
        text.follows = true
        return stream(key) {
            try $0.run(generation, $1, watch: $2)
        } each: {
            $0.grow(key, $1)
        } then: {
            $0.finish(key, $1)
        } failed: { page, _ in
            page.running[key] = nil
            page.queue = []
            page.refillText()
            return Self.reload
        }
    }

    /// Continues the answer from the selected alternative, after the same earlier tokens.
    mutating func branch() -> Work<Self> {
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
        queue.append(branch)
        screen.focus = .text
        return runNext()
    }

    mutating func say(_ typed: String) -> Work<Self> {
        guard !typed.isEmpty else { return [] }
        guard let open = session, !open.isSample else {
            var document = freshDocument
            document.input = .messages([Message(.user, [.text(typed)])], tools: [])
            return makeSession(document) { $0.run(times: 1) }
        }
        session?.draft = open.continued(saying: typed)
        return run(times: 1)
    }

    // MARK: Answers that come

    private mutating func grow(_ key: String, _ growth: TokenEngine.Growth) -> Work<Self> {
        let progress = growth.progress
        if let live = growth.live { self.live = live }
        let id = progress.generation.id
        let isNew = running[key] != id
        running[key] = id
        var whole = progress.generation
        whole.steps = (growing[id]?.steps.prefix(progress.firstStep) ?? []) + progress.steps
        growing[id] = whole
        guard session?.session.id == whole.session else { return [] }
        if isNew {
            // Show a new answer from its start, unless the user has moved elsewhere.
            wanted = .answer(id)
            compared = nil
            session?.answer = whole
        }
        let work = isNew ? Self.reload : []
        guard let shown = session?.answer, shown.id == id else { return work }
        session?.answer = whole
        if isNew || shown.prompt.isEmpty != whole.prompt.isEmpty || shown.steps.count != progress.firstStep {
            refillText()
        } else {
            text.append(progress.steps, from: progress.firstStep, coloring: coloring, median: whole.medianSeconds)
            if text.follows { cursorMoved() }
        }
        return work
    }

    private mutating func finish(_ key: String, _ answer: Generation) -> Work<Self> {
        running[key] = nil
        growing[answer.id] = nil
        if session?.answer?.id == answer.id {
            let follows = text.follows
            session?.answer = answer
            let place = step?.index
            refillText(standingOn: follows ? max(0, answer.steps.count - 1) : place)
        }
        return [.changed, answer.outcome.problem.map { .notify($0, .failure) } ?? [], runNext()]
    }
}
