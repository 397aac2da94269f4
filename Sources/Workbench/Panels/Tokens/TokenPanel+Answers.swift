internal import Console
internal import Formatting
internal import Foundation
internal import LanguageModels
internal import ModelLab
internal import Workspace

extension TokenPanel {
    mutating func start(_ saved: String?) -> [Effect<TokenAnswer>] {
        let screen = saved.flatMap(TokenScreen.init(text:))
        if let screen {
            pane = screen.pane
            isZoomed = screen.isZoomed
            coloring = screen.coloring
            layoutPanes()
        }
        opensNewest = screen == nil
        let store = engine.store
        var effects = reload()
        if store.workspace.access == .readWrite {
            effects.append(
                .ask(key: "interrupted") { _ in
                    try store.closeInterrupted()
                    return .sessions(try store.sessions())
                })
        }
        if let answer = screen?.answer {
            let engine = engine
            let step = screen?.step
            effects.append(
                .ask(key: "open") { _ in .opened(OpenSessionBox(open: try engine.open(answer: answer)), step: step) })
        } else if let session = screen?.session {
            effects += open(session: session)
        }
        return effects
    }

    mutating func reload() -> [Effect<TokenAnswer>] {
        let engine = engine
        var effects: [Effect<TokenAnswer>] = [
            .ask(key: "sessions") { _ in .sessions(try engine.sessions()) },
            .ask(key: "models") { _ in .models(try engine.models()) },
        ]
        if let id = session?.session.id {
            effects.append(.ask(key: "answers") { _ in .listed(session: id, try engine.store.generations(of: id)) })
        }
        return effects
    }

    func open(session id: Int64) -> [Effect<TokenAnswer>] {
        let engine = engine
        return [.ask(key: "open") { _ in .opened(OpenSessionBox(open: try engine.open(session: id)), step: nil) }]
    }

    mutating func receive(_ value: TokenAnswer) -> [Effect<TokenAnswer>] {
        switch value {
        case .sessions(let sessions):
            tree.show(sessions)
            if let wanted, tree.select(wanted) { self.wanted = nil }
            // Longer titles widen the list, which leaves the text fewer columns.
            layoutPanes()
            guard opensNewest else { return [] }
            opensNewest = false
            standsOnSurprise = session == nil
            return session == nil ? sessions.first.map { open(session: $0.id) } ?? [] : []
        case .models(let models):
            knownModels = models
            return []
        case .opened(let box, let step):
            let effects = show(box.open, step: step)
            if standsOnSurprise, step == nil, let surprise = Self.greatestSurprise(of: answer) {
                text.moveCursor(to: .step(surprise))
                cursorMoved()
            }
            standsOnSurprise = false
            return effects
        case .listed(let id, let answers):
            guard session?.session.id == id else { return [] }
            session?.answers = answers
            tree.open(id, answers: answers)
            if let wanted, tree.select(wanted) { self.wanted = nil }
            layoutPanes()
            return []
        case .made(let box, let running):
            let effects = show(box.open, step: nil)
            return effects + (running ? run(times: 1) : [])
        case .openedFor(let box, let action):
            let effects = show(box.open, step: nil)
            return effects + (disabledReason(action).map { [.notify($0, .warning)] } ?? carryOut(action))
        case .confirmed(let box): return delete(box)
        case .restored(let box):
            deleted.removeAll { $0 == box }
            return [.notify("restored \(box.name)", .success), .changed]
        case .deleted(let box):
            deleted.append(box)
            switch box.kind {
            case .session(let id) where session?.session.id == id: session = nil
            case .answer(let id) where session?.answer?.id == id: session?.answer = nil
            default: break
            }
            if session == nil { tree.open(nil, answers: []) }
            refillText()
            return [.notify("deleted \(box.name): u restores it", .success)] + reload()
        case .shown(let answer, let step): return show(answer, step: step)
        case .compared(let other):
            var text = TokenText()
            Self.fill(&text, with: other, coloring: coloring)
            compared = ComparedAnswer(generation: other, text: text)
            layoutPanes()
            // Move to the first difference.
            let common = zip(answer?.steps ?? [], other.steps).prefix { $0.text == $1.text }.count
            self.text.moveCursor(to: .step(common))
            cursorMoved()
            return []
        case .progress(let key, let progress, let box): return grow(key, progress, box)
        case .finished(let key, let answer): return finish(key, answer)
        case .saved(let saved):
            if session?.session.id == saved.id { session?.session = saved }
            return reload()
        case .chosen(let word): return take(model: word)
        case .done(let sentence): return [.notify(sentence, .success), .changed]
        case .line(let line, let typed): return accept(line, typed)
        case .lineCancelled(let line):
            if line == .search {
                search = ""
                text.find("")
            }
            return []
        case .edited(let path): return readDraft(from: path)
        }
    }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<TokenAnswer>] {
        guard key.hasPrefix("answer") else { return [] }
        running[key] = nil
        queue = []
        refillText()
        return reload()
    }

    // MARK: Showing

    private mutating func show(_ open: OpenSession, step: Int?) -> [Effect<TokenAnswer>] {
        if session?.session.id != open.session.id { live = nil }
        session = open
        if let coming = open.answer.flatMap({ growing[$0.id] }) { session?.answer = coming }
        compared = nil
        tree.open(open.session.id, answers: open.answers)
        let row = open.answer.map { SessionTree.Row.Kind.answer($0.id) } ?? .session(open.session.id)
        if !tree.select(row) { wanted = row }
        if pane == .sessions, step != nil { pane = .text }
        refillText(standingOn: step)
        return reload()
    }

    private mutating func show(_ answer: Generation, step: Int?) -> [Effect<TokenAnswer>] {
        guard session?.session.id == answer.session else { return [] }
        session?.answer = growing[answer.id] ?? answer
        if answer.outcome.state != .recorded { session?.draft = answer.document }
        compared = nil
        refillText(standingOn: step)
        return []
    }

    /// Fills the text again, and moves the cursor to a step (default: the first step of the answer).
    mutating func refillText(standingOn step: Int? = nil) {
        text.removeAll()
        if let answer {
            Self.fill(&text, with: answer, coloring: coloring)
            if let step, text.moveCursor(to: .step(step)) {
            } else if running.values.contains(answer.id) {
                text.moveToEnd()
            } else if !text.moveCursor(to: .step(0)) {
                text.moveToStart()
            }
        } else if let session {
            Self.fill(&text, with: session.draft)
        }
        if answer == nil { compared = nil }
        text.find(search)
        layoutPanes()
        cursorMoved()
    }

    static func fill(_ text: inout TokenText, with answer: Generation, coloring: TokenColoring) {
        if answer.prompt.isEmpty {
            fill(&text, with: answer.document)
        } else {
            for (index, token) in answer.prompt.enumerated() {
                text.append(.init(piece: .prompt(index), text: token.text, role: coloring.role(of: token)))
            }
        }
        if answer.prompt.isEmpty, case .messages = answer.document.input {
            text.append(.init(piece: .label, text: "assistant\n", role: .heading))
        }
        if !answer.reasoning.isEmpty {
            text.append(.init(piece: .label, text: "thinking: " + answer.reasoning + "\n", role: .quote))
        }
        let median = medianSeconds(of: answer)
        for (index, step) in answer.steps.enumerated() {
            text.append(item(for: step, at: index, coloring: coloring, median: median))
        }
        for call in answer.toolCalls {
            text.append(.init(piece: .label, text: "\n▸ \(call.name)(\(call.arguments))", role: .function))
        }
        if let problem = answer.outcome.problem {
            text.append(
                .init(piece: .label, text: (answer.steps.isEmpty ? "" : "\n\n") + problem, role: .failure))
        }
        if let silence = answer.silence(Format.probability) {
            text.append(.init(piece: .label, text: (answer.prompt.isEmpty ? "" : "\n") + silence, role: .warning))
        }
    }

    /// Fills in a prompt without known tokens, as messages.
    private static func fill(_ text: inout TokenText, with document: PromptDocument) {
        switch document.input {
        case .text(let content): text.append(.init(piece: .label, text: content, role: .dim))
        case .tokens(let ids):
            text.append(.init(piece: .label, text: ids.map(String.init).joined(separator: " "), role: .dim))
        case .messages(let messages, let tools):
            for tool in tools { text.append(.init(piece: .label, text: "tool \(tool.name)\n", role: .function)) }
            for message in messages {
                text.append(.init(piece: .label, text: message.role.name + "\n", role: .heading))
                for part in message.parts {
                    text.append(.init(piece: .label, text: part.shown + "\n\n", role: part.isText ? .text : .dim))
                }
            }
        }
    }

    private static func item(
        for step: TokenStep, at index: Int, coloring: TokenColoring, median: Double?
    ) -> TokenText.Item {
        let role = coloring.role(of: step, medianSeconds: median) ?? .text
        return .init(piece: .step(index), text: step.text, role: role)
    }

    /// Returns the least probable token; `nil` if no token is a surprise.
    private static func greatestSurprise(of answer: Generation?) -> Int? {
        guard let steps = answer?.steps else { return nil }
        return steps.indices.filter { isSurprise(steps[$0]) }
            .min { steps[$0].logProbability ?? 0 < steps[$1].logProbability ?? 0 }
    }

    static func medianSeconds(of answer: Generation) -> Double? {
        let times = answer.steps.compactMap(\.seconds).sorted()
        return times.isEmpty ? nil : times[times.count / 2]
    }

    mutating func recolor() {
        guard let answer else { return }
        let coloring = coloring
        let median = Self.medianSeconds(of: answer)
        text.color { item in
            switch item.piece {
            case .label: item.role
            case .prompt(let index):
                answer.prompt.indices.contains(index) ? coloring.role(of: answer.prompt[index]) : item.role
            case .step(let index):
                answer.steps.indices.contains(index)
                    ? coloring.role(of: answer.steps[index], medianSeconds: median) ?? .text : item.role
            }
        }
    }

    /// Updates the table of alternatives for the cursor, with the chosen token selected.
    mutating func cursorMoved() {
        // More alternatives leave fewer rows for the text.
        defer { layoutPanes() }
        // The cursor of the other text in a comparison follows.
        if let place = text.cursorPiece { compared?.text.moveCursor(to: place) }
        guard let step else {
            alternatives = ListView(height: alternatives.height)
            return
        }
        let rows = AlternativesTable.rows(of: step.step)
        alternatives = ListView(
            count: rows.count, selection: rows.firstIndex(where: \.isChosen) ?? 0, height: alternatives.height)
    }

    // MARK: Answers that come

    private mutating func grow(
        _ key: String, _ progress: GenerationRun.Progress, _ box: LiveBox?
    ) -> [Effect<TokenAnswer>] {
        if let box {
            live = box.view
            operations.count = box.view.operations.count
        }
        let isNew = running[key] != progress.generation.id
        running[key] = progress.generation.id
        let id = progress.generation.id
        let before = growing[id]
        var whole = progress.generation
        whole.steps = (before?.steps.prefix(progress.firstStep) ?? []) + progress.steps
        growing[id] = whole
        guard session?.session.id == progress.generation.session else { return [] }
        if isNew {
            // Show a new answer from its start, unless the user has moved elsewhere.
            wanted = .answer(id)
            compared = nil
            session?.answer = whole
        }
        guard let shown = session?.answer, shown.id == id else { return isNew ? reload() : [] }
        session?.answer = whole
        if isNew || shown.prompt.isEmpty != whole.prompt.isEmpty || shown.steps.count != progress.firstStep {
            refillText()
        } else {
            let median = Self.medianSeconds(of: whole)
            for (index, step) in progress.steps.enumerated() {
                text.append(Self.item(for: step, at: progress.firstStep + index, coloring: coloring, median: median))
            }
            if text.follows { cursorMoved() } else { layoutPanes() }
        }
        return isNew ? reload() : []
    }

    private mutating func finish(_ key: String, _ answer: Generation) -> [Effect<TokenAnswer>] {
        running[key] = nil
        growing[answer.id] = nil
        if session?.answer?.id == answer.id {
            let follows = text.follows
            session?.answer = answer
            let place = step?.index
            refillText(standingOn: follows ? max(0, answer.steps.count - 1) : place)
        }
        var effects = reload() + [.changed]
        if let problem = answer.outcome.problem { effects.append(.notify(problem, .failure)) }
        return effects + runNext()
    }
}

extension Message.Part {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    /// Visible text of the part.
    fileprivate var shown: String {
        switch self {
        case .text(let text): text
        case .reasoning(let text): "thinking: " + text
        case .toolCall(let call): "▸ \(call.name)(\(call.arguments))"
        case .toolResult(let result): "◂ " + result.content
        case .attachment(let attachment): "[\(attachment.mediaType), \(Format.bytes(attachment.byteCount))]"
        case .other(let type, _): "[\(type)]"
        }
    }
}
