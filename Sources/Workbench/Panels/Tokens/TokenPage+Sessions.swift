internal import Console
internal import LanguageModels
internal import ModelLab

extension TokenPage {
    static let untitled = "new session"

    mutating func newSession() -> Work<Self> {
        var document = freshDocument
        if let session, !session.isSample {
            document.sampling = session.draft.sampling
            if case .text = session.draft.input { document.input = .text("") }
        }
        return makeSession(document)
    }

    /// Empty conversation with the selected model and its default settings.
    var freshDocument: PromptDocument {
        PromptDocument(model: session?.draft.model ?? knownModels?.first?.name ?? "")
    }

    mutating func makeSession(
        _ document: PromptDocument, then next: @escaping (inout Self) -> Work<Self> = { _ in [] }
    ) -> Work<Self> {
        screen.focus = .text
        opening = nil
        return write {
            try $0.makeSession(titled: Self.untitled, document)
        } then: {
            [$0.show($1), next(&$0)]
        }
    }

    mutating func rename(to typed: String) -> Work<Self> {
        guard !typed.isEmpty else { return [] }
        session?.session.title = typed
        return saveDraft()
    }

    func export(to path: String) -> Work<Self> {
        guard !path.isEmpty, let session else { return [] }
        let export = GenerationExport(session: session.session, draft: session.draft, answer: session.answer)
        return write { _ in
            try export.write(to: path)
        } then: {
            [.notify($1, .success), .changed]
        }
    }

    // MARK: Deleting

    /// A deleted row.
    struct DeletedRow: Hashable, Sendable {
        let row: SessionTree.Row.ID
        /// Description of the row, such as `session “Planets”`.
        let name: String
    }

    func askDelete() -> Work<Self> {
        guard let target else { return [] }
        let title = Escape.printable(tree.title(of: target)).trimmed.truncated(toColumns: 40)
        // A collapsed session hides the titles of its answers.
        let kind = target.isSession ? "session" : "answer"
        let deleted = DeletedRow(row: target, name: kind + (title.isEmpty ? "" : " “\(title)”"))
        return .question(
            Question(
                "Delete \(deleted.name)?",
                lines: [
                    target.isSession
                        ? "This also deletes the session's answers. Press u to restore everything."
                        : "Press u to restore it."
                ], [.init("d", "delete the \(kind)", value: deleted)])
        ) { page, deleted in
            page.write {
                try $0.delete(deleted.row)
            } then: { page, _ in
                page.left(deleted)
            }
        }
    }

    private mutating func left(_ row: DeletedRow) -> Work<Self> {
        deleted.append(row)
        switch row.row {
        case .session(let id) where session?.session.id == id: session = nil
        case .answer(let id) where session?.answer?.id == id: session?.answer = nil
        default: break
        }
        refillText()
        return [.notify("deleted \(row.name): u restores it", .success), Self.reload]
    }

    /// Restores what this page deleted last, never what another process deleted.
    func undo() -> Work<Self> {
        guard let last = deleted.last else { return [] }
        return write {
            try $0.restore(last.row)
        } then: { page, _ in
            page.deleted.removeAll { $0 == last }
            return [.notify("restored \(last.name)", .success), .changed]
        }
    }
}
