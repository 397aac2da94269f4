internal import Console
internal import LanguageModels
internal import ModelLab
internal import Workspace

extension TokenPage {
    mutating func list(_ sessions: [Session]) {
        isNew = false
        tree.show(sessions)
        selectWanted()
        guard opensNewest else { return }
        opensNewest = false
        guard session == nil, let newest = sessions.first else { return }
        standsOnSurprise = true
        opening = .row(.session(newest.id))
    }

    mutating func list(_ answers: [GenerationSummary]) {
        session?.answers = answers
        tree.open(session?.session.id, answers: answers)
        selectWanted()
    }

    private mutating func selectWanted() {
        if let wanted, tree.rows.select(wanted) { self.wanted = nil }
    }

    // MARK: Opening

    mutating func opened(_ open: OpenSession) -> Work<Self> {
        let step = opening?.step
        opening = nil
        let work = show(open, step: step)
        if standsOnSurprise, step == nil, let surprise = answer?.greatestSurprise { stand(on: .step(surprise)) }
        standsOnSurprise = false
        return work
    }

    mutating func show(_ open: OpenSession, step: Int? = nil) -> Work<Self> {
        if session?.session.id != open.session.id { live = nil }
        session = open
        if let coming = open.answer.flatMap({ growing[$0.id] }) { session?.answer = coming }
        if open.answer == nil, let draft = unsaved[open.session.id] { session?.draft = draft }
        compared = nil
        tree.open(open.session.id, answers: open.answers)
        let row = open.answer.map { SessionTree.Row.ID.answer($0.id) } ?? .session(open.session.id)
        if !tree.rows.select(row) { wanted = row }
        if screen.focus == .sessions, step != nil { screen.focus = .text }
        refillText(standingOn: step)
        return Self.reload
    }

    private mutating func show(_ answer: Generation) {
        guard session?.session.id == answer.session else { return }
        session?.answer = growing[answer.id] ?? answer
        if answer.outcome.state != .recorded { session?.draft = answer.document }
        compared = nil
        refillText()
    }

    static var reload: Work<Self> { [.again("sessions"), .again("answers")] }

    mutating func openSelected() -> Work<Self> {
        switch screen.focus {
        case .sessions:
            guard let row = tree.rows.selected else { return writing { $0.newSession() } }
            screen.focus = .text
            opening = nil
            switch row.id {
            case .session(let id) where id == session?.session.id:
                session?.answer = nil
                refillText()
            case .session: opening = .row(row.id)
            // The cursor stays on its token.
            case .answer(let id) where id == answer?.id: break
            case .answer(let id):
                return [
                    .cancel("row"),
                    read("answer") {
                        try $0.answer(id)
                    } show: {
                        $0.show($1)
                    },
                ]
            }
            return .cancel("row")
        case .text:
            screen.focus = .alternatives
            return []
        case .alternatives: return whyNoBranch.map { .notify($0, .warning) } ?? writing { $0.branch() }
        case .live:
            guard let reference = live?.reference(at: operations.selection) else {
                return .notify("Kernels has no kernel for this operation")
            }
            return .open(reference)
        }
    }

    /// Runs work that writes, or says that the workspace is read-only. Enter and double-clicks write in some panes only,
    /// so the host does not refuse them.
    private mutating func writing(_ work: (inout Self) -> Work<Self>) -> Work<Self> {
        engine.workspace.access == .readWrite ? work(&self) : .notify(Self.readOnlyReason, .warning)
    }

    package mutating func back() -> Work<Self>? {
        if compared != nil {
            compared = nil
        } else if screen.focus == .live || screen.focus == .alternatives {
            screen.focus = .text
        } else {
            return nil
        }
        return []
    }

    // MARK: The cursor

    mutating func moveText(_ motion: Motion) {
        text.move(motion)
        cursorMoved()
    }

    mutating func stand(on piece: TokenText.Piece) {
        text.moveCursor(to: piece)
        cursorMoved()
    }

    /// Updates the table of alternatives for the cursor, with the chosen token selected.
    mutating func cursorMoved() {
        // The cursor of the other text in a comparison follows.
        if let place = text.cursorPiece { compared?.text.moveCursor(to: place) }
        let rows = step.map { AlternativesTable.rows(of: $0.step) } ?? []
        alternatives = ListView(
            count: rows.count, selection: rows.firstIndex(where: \.isChosen) ?? 0, height: alternatives.height)
    }

    mutating func findSurprise(forward: Bool) -> Work<Self> {
        guard let answer else { return [] }
        let here = step?.index ?? (forward ? -1 : answer.steps.count)
        let places = answer.steps.indices.filter { answer.steps[$0].isSurprise }
        guard let found = Self.next(in: places, from: here, forward: forward) else {
            return .notify("no surprising token in this answer")
        }
        stand(on: .step(found))
        return []
    }

    mutating func find(_ typed: String) -> Work<Self> {
        search = typed
        text.find(typed)
        return typed.isEmpty ? [] : findText(forward: true)
    }

    mutating func findText(forward: Bool) -> Work<Self> {
        let places = text.matches.map(\.lowerBound)
        guard let found = Self.next(in: places, from: text.cursor ?? -1, forward: forward) else {
            return .notify("\(search) was not found")
        }
        text.stand(at: found)
        cursorMoved()
        return []
    }

    /// Returns the next place in a direction; after the last comes the first.
    private static func next(in places: [Int], from here: Int, forward: Bool) -> Int? {
        forward
            ? places.first { $0 > here } ?? places.first : places.last { $0 < here } ?? places.last
    }

    // MARK: Comparing

    mutating func compare() -> Work<Self> {
        guard compared == nil else {
            compared = nil
            return []
        }
        guard let answer else { return [] }
        // The selected answer, or the answer before the visible one if both are the same.
        var other: Int64?
        if case .answer(let id)? = tree.rows.selected?.id, id != answer.id { other = id }
        other =
            other ?? session?.answers.last { $0.id < answer.id }?.id
            ?? session?.answers.first { $0.id != answer.id }?.id
        guard let other else { return .notify("No other answer to compare with. Press r to generate one.") }
        return read("compare") {
            try $0.answer(other)
        } show: {
            $0.compare(with: $1)
        }
    }

    private mutating func compare(with other: Generation) {
        var text = TokenText()
        text.fill(with: other, coloring: coloring)
        compared = (other, text)
        // Both texts scroll back from their end, which needs their sizes.
        if let area = screen.area(of: .text) { fitText(area) }
        // Move to the first difference.
        stand(on: .step(answer?.commonSteps(with: other) ?? 0))
    }

    // MARK: The text

    /// Fills the text again, and moves the cursor to a step (default: the first step of the answer).
    mutating func refillText(standingOn step: Int? = nil) {
        text.removeAll()
        if let answer {
            text.fill(with: answer, coloring: coloring)
            if let step, text.moveCursor(to: .step(step)) {
            } else if running.values.contains(answer.id) {
                text.moveToEnd()
            } else if !text.moveCursor(to: .step(0)) {
                text.moveToStart()
            }
        } else if let session {
            text.fill(with: session.draft)
        }
        if answer == nil { compared = nil }
        text.find(search)
        cursorMoved()
    }

    mutating func recolor() {
        coloring = coloring.next
        if let answer { text.recolor(answer, by: coloring) }
    }
}
