internal import Console
internal import Foundation
internal import LanguageModels
internal import ModelLab

extension TokenPanel {
    mutating func perform(_ action: TokenAction) -> [Effect<TokenAnswer>] {
        needsOpening(action) ? openTarget(then: action) : carryOut(action)
    }

    /// Performs an action on the open session or answer.
    mutating func carryOut(_ action: TokenAction) -> [Effect<TokenAnswer>] {
        switch action {
        case .moveDown: return move({ $0.move(by: 1) }, text: { $0.moveRows(by: 1) })
        case .moveUp: return move({ $0.move(by: -1) }, text: { $0.moveRows(by: -1) })
        case .pageDown: return move({ $0.movePages(1) }, text: { $0.moveRows(by: max(1, $0.height - 2)) })
        case .pageUp: return move({ $0.movePages(-1) }, text: { $0.moveRows(by: -max(1, $0.height - 2)) })
        case .toTop: return move({ $0.moveToStart() }, text: { $0.moveToStart() })
        case .toEnd: return move({ $0.moveToEnd() }, text: { $0.moveToEnd() })
        case .left: return moveToken(by: -1)
        case .right: return moveToken(by: 1)
        case .open: return openSelected()
        case .back: return back()
        case .nextPane: return turnPane(by: 1)
        case .previousPane: return turnPane(by: -1)
        case .zoom:
            isZoomed.toggle()
            layoutPanes()
            return []
        case .say: return [.prompt(line(.say, "say ", history: "say"))]
        case .run: return run(times: 1)
        case .repeatRun:
            let times = Form.Field("times", value: "3", allowed: "1 to 100", check: Self.countProblem)
            return [.fill(FormRequest("Generate again", verb: "run", times) { .line(.repeatCount, $0) })]
        case .cancel:
            queue = []
            return running.keys.sorted().map { .cancel(key: $0) }
        case .branch: return branch()
        case .model: return askModel()
        case .settings: return askSettings()
        case .editPrompt: return editDraft()
        case .toggleMode: return toggleMode()
        case .compare: return compare()
        case .nextSurprise: return findStep(forward: true, where: Self.isSurprise)
        case .previousSurprise: return findStep(forward: false, where: Self.isSurprise)
        case .search: return [.prompt(line(.search, "/", history: "search"))]
        case .nextMatch: return findText(forward: true)
        case .previousMatch: return findText(forward: false)
        case .color:
            coloring = coloring.next
            recolor()
            return []
        case .newSession: return newSession()
        case .rename:
            let title = Form.Field("title", value: session?.session.title ?? "")
            return [
                .fill(
                    FormRequest("Rename the session", verb: "rename", title, cancelled: .lineCancelled(.title)) {
                        .line(.title, $0)
                    })
            ]
        case .addModel:
            return [.choose(ModelChoices.adding { .line(.addModel, $0) })]
        case .copy: return answer.map { [.copy($0.text, what: "the answer")] } ?? []
        case .export:
            return [
                .fill(
                    FormRequest(export: "Export the session", name: "answer.md", endings: [".md", ".json"]) {
                        .line(.export, $0)
                    })
            ]
        case .delete: return askDelete()
        case .undo: return undo()
        }
    }

    // MARK: Moving

    private mutating func move(
        _ change: (inout ListView) -> Void, text moveText: (inout TokenText) -> Void
    ) -> [Effect<TokenAnswer>] {
        switch pane {
        case .sessions: change(&tree.list)
        case .text:
            moveText(&text)
            cursorMoved()
        case .alternatives: change(&alternatives)
        case .live: change(&operations)
        }
        return []
    }

    private mutating func moveToken(by step: Int) -> [Effect<TokenAnswer>] {
        text.move(by: step)
        cursorMoved()
        return []
    }

    private mutating func turnPane(by step: Int) -> [Effect<TokenAnswer>] {
        let all = Pane.allCases
        pane = all[(all.firstIndex(of: pane)! + step + all.count) % all.count]
        layoutPanes()
        return []
    }

    private mutating func openSelected() -> [Effect<TokenAnswer>] {
        switch pane {
        case .sessions:
            guard let row = tree.selected else { return writing { $0.newSession() } }
            pane = .text
            layoutPanes()
            let engine = engine
            switch row.kind {
            case .session(let id):
                if id == session?.session.id {
                    session?.answer = nil
                    refillText()
                    return []
                }
                return open(session: id)
            case .answer(let id):
                // The cursor stays on its token.
                if id == answer?.id { return [] }
                return [.ask(key: "open") { _ in .shown(try engine.answer(id), step: nil) }]
            }
        case .text:
            pane = .alternatives
            layoutPanes()
            return []
        case .alternatives:
            if let reason = disabledReason(.branch) { return [.notify(reason, .warning)] }
            return writing { $0.branch() }
        case .live:
            guard let reference = live?.reference(at: operations.selection) else {
                return [.notify("Kernels has no kernel for this operation", .information)]
            }
            return [.open(reference)]
        }
    }

    private mutating func back() -> [Effect<TokenAnswer>] {
        if isZoomed {
            isZoomed = false
        } else if compared != nil {
            compared = nil
        } else {
            switch pane {
            case .live, .alternatives: pane = .text
            case .text: pane = .sessions
            case .sessions: return [.back]
            }
        }
        layoutPanes()
        return []
    }

    // MARK: Finding

    /// Returns whether another token was more probable, or the probability is below a fifth.
    static func isSurprise(_ step: TokenStep) -> Bool {
        guard let log = step.logProbability else { return false }
        return exp(log) < 0.2
            || step.alternatives?.first.map { !$0.isSame(as: step) && $0.logProbability > log } == true
    }

    private mutating func findStep(
        forward: Bool, where isWanted: (TokenStep) -> Bool
    ) -> [Effect<TokenAnswer>] {
        guard let answer else { return [] }
        let here = step?.index ?? (forward ? -1 : answer.steps.count)
        let places = answer.steps.indices.filter { isWanted(answer.steps[$0]) }
        // Wrap around at the end.
        let found =
            forward
            ? places.first { $0 > here } ?? places.first : places.last { $0 < here } ?? places.last
        guard let found else { return [.notify("no surprising token in this answer", .information)] }
        text.moveCursor(to: .step(found))
        cursorMoved()
        return []
    }

    private mutating func findText(forward: Bool) -> [Effect<TokenAnswer>] {
        let here = text.cursor ?? -1
        let places = text.matches.map(\.lowerBound)
        let found =
            forward
            ? places.first { $0 > here } ?? places.first : places.last { $0 < here } ?? places.last
        guard let found else { return [.notify("\(search) was not found", .information)] }
        text.stand(at: found)
        cursorMoved()
        return []
    }

    // MARK: Comparing

    private mutating func compare() -> [Effect<TokenAnswer>] {
        guard compared == nil else {
            compared = nil
            layoutPanes()
            return []
        }
        guard let answer else { return [] }
        // The selected answer, or the answer before the visible one if both are the same.
        var other: Int64?
        if case .answer(let id)? = tree.selected?.kind, id != answer.id { other = id }
        other =
            other ?? session?.answers.last { $0.id < answer.id }?.id
            ?? session?.answers.first { $0.id != answer.id }?.id
        guard let other else {
            return [.notify("No other answer to compare with. Press r to generate one.", .information)]
        }
        let engine = engine
        return [.ask(key: "compare") { _ in .compared(try engine.answer(other)) }]
    }

    // MARK: Lines

    func line(
        _ line: TokenAnswer.Line, _ label: String, text: String = "", history: String?
    ) -> Prompt<TokenAnswer> {
        Prompt(label, text: text, isProposal: true, history: history, cancelled: .lineCancelled(line)) {
            .line(line, $0)
        }
    }

    /// Returns the problem with a number of generations, or `nil`.
    @Sendable private static func countProblem(_ typed: String) -> String? {
        Int(typed).map { (1...100).contains($0) } == true ? nil : "a number from 1 to 100"
    }

    mutating func accept(_ line: TokenAnswer.Line, _ typed: String) -> [Effect<TokenAnswer>] {
        switch line {
        case .say: return say(typed)
        case .model: return choose(model: typed)
        case .settings: return apply(settings: typed)
        case .repeatCount:
            return Int(typed).map { run(times: $0) } ?? []
        case .search:
            search = typed
            text.find(typed)
            return typed.isEmpty ? [] : findText(forward: true)
        case .addModel: return add(model: typed)
        case .export: return export(to: typed)
        case .title: return rename(to: typed)
        }
    }
}
