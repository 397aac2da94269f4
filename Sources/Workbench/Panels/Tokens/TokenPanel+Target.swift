internal import Console
internal import ModelLab
internal import Workspace

extension TokenPanel {
    /// Target of actions: the selected row in the Sessions pane; elsewhere, the open answer or session.
    var target: SessionTree.Row.Kind? {
        if pane == .sessions { return tree.selected?.kind }
        if let answer, answer.id != 0 { return .answer(answer.id) }
        return session.map { .session($0.session.id) }
    }

    /// Actions on an open session or its answer.
    private static let ofOpen: Set<TokenAction> = [
        .say, .run, .repeatRun, .model, .settings, .editPrompt, .toggleMode, .rename, .copy, .export,
    ]

    /// Returns whether an action needs a row of the list that is not open.
    func needsOpening(_ action: TokenAction) -> Bool {
        guard pane == .sessions, Self.ofOpen.contains(action) else { return false }
        return switch target {
        case .session(let id)?: id != session?.session.id
        case .answer(let id)?: id != answer?.id
        case nil: false
        }
    }

    /// Opens the row under the cursor, then performs the action on it.
    func openTarget(then action: TokenAction) -> [Effect<TokenAnswer>] {
        guard let target else { return [] }
        let engine = engine
        return [
            .ask(key: "open") { _ in
                let open =
                    switch target {
                    case .session(let id): try engine.open(session: id)
                    case .answer(let id): try engine.open(answer: id)
                    }
                return .openedFor(OpenSessionBox(open: open), action)
            }
        ]
    }

    /// Runs work that writes, or says that the workspace is read-only. Enter and double-clicks write in some panes only,
    /// so the shell does not refuse them.
    mutating func writing(_ work: (inout Self) -> [Effect<TokenAnswer>]) -> [Effect<TokenAnswer>] {
        engine.workspace.access == .readWrite ? work(&self) : [.notify(Self.readOnlyReason, .warning)]
    }

    /// Names the targets of `r` and `D` in the footer.
    package func wording(_ action: TokenAction) -> ActionWording? {
        if action == .undo { return deleted.last.map { ActionWording(hint: nil, description: "restore \($0.name)") } }
        guard pane == .sessions, let row = tree.selected else { return nil }
        let isSession = if case .session = row.kind { true } else { false }
        return switch action {
        case .run: ActionWording(hint: isSession ? "run session" : "run again", isFirst: true)
        case .delete: ActionWording(hint: isSession ? "delete session" : "delete answer", isFirst: true)
        default: nil
        }
    }

    // MARK: Deleting

    func askDelete() -> [Effect<TokenAnswer>] {
        guard let target else { return [] }
        let title = Escape.printable(tree.title(of: target)).trimmed.truncated(toColumns: 40)
        let isSession = if case .session = target { true } else { false }
        // A collapsed session hides the titles of its answers.
        let name = (isSession ? "session" : "answer") + (title.isEmpty ? "" : " “\(title)”")
        let box = SessionRowBox(kind: target, name: name)
        return [
            .question(
                Question(
                    "Delete \(box.name)?",
                    lines: [
                        isSession
                            ? "This also deletes the session's answers. Press u to restore everything."
                            : "Press u to restore it."
                    ],
                    [.init("d", isSession ? "delete the session" : "delete the answer", value: .confirmed(box))]))
        ]
    }

    func delete(_ box: SessionRowBox) -> [Effect<TokenAnswer>] {
        let (store, time) = (engine.store, engine.now())
        return [
            .ask(key: "delete \(box.kind)") { _ in
                switch box.kind {
                case .session(let id): try store.deleteSession(id, at: time)
                case .answer(let id): try store.deleteGeneration(id, at: time)
                }
                return .deleted(box)
            }
        ]
    }

    /// Restores what this panel deleted last, never what another process deleted.
    func undo() -> [Effect<TokenAnswer>] {
        guard let last = deleted.last else { return [] }
        let store = engine.store
        return [
            .ask(key: "undo") { _ in
                switch last.kind {
                case .session(let id): try store.restoreSession(id)
                case .answer(let id): try store.restoreGeneration(id)
                }
                return .restored(last)
            }
        ]
    }
}
