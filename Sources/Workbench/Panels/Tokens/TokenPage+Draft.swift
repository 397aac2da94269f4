internal import Console
internal import LanguageModels
internal import ModelLab
internal import System

extension TokenPage {
    // MARK: Models

    func askModel() -> Work<Self> {
        let current = session?.draft.model ?? ""
        return .model(ModelChoices.request("Model", knownModels ?? [], current: current) { $0 }) { page, word in
            page.read("choose") {
                try $0.house.specification(of: word)
            } then: { page, _ in
                page.take(model: word)
            }
        }
    }

    func addModel() -> Work<Self> {
        .model(ModelChoices.adding { $0 }) { page, word in
            page.write {
                try $0.house.add(word, name: nil, at: $0.now())
            } then: { _, entry in
                [.notify("added \(entry.name): M selects it", .success), .changed]
            }
        }
    }

    /// Uses a model for the next answers of the session.
    private mutating func take(model word: String) -> Work<Self> {
        let told = Work<Self>.notify("this session now uses \(word)", .success)
        guard session != nil else { return [makeSession(PromptDocument(model: word)), told] }
        session?.draft.model = word
        return [saveDraft(), told]
    }

    // MARK: Settings and prompt

    /// Asks for all sampling settings, with their current values.
    func askSettings() -> Work<Self> {
        guard let draft = session?.draft else { return [] }
        // A model that the workspace does not know by name counts as an endpoint.
        let isLocal = knownModels?.contains { $0.name == draft.model && $0.file != nil } == true
        let fields = draft.settings(isLocal: isLocal).map { setting in
            Form.Field(
                setting.name, value: setting.value, defaultValue: setting.defaultText, allowed: setting.allowed,
                check: setting.check)
        }
        return .form(Form("Settings: an empty value means the default", fields)) { page, values in
            page.apply(settings: fields.map { "\($0.name)=\(values[$0.name] ?? "")" }.joined(separator: " "))
        }
    }

    private mutating func apply(settings typed: String) -> Work<Self> {
        guard var draft = session?.draft else { return [] }
        do {
            try draft.apply(settings: typed)
            session?.draft = draft
            return [saveDraft(), .notify(draft.settingsLine, .success)]
        } catch {
            // The line of a setting that was typed alone says nothing.
            var problem = error
            problem.subject = ""
            return .notify(problem.sentence, .failure)
        }
    }

    /// Turns a conversation into plain text to continue, and plain text into a question.
    mutating func toggleMode() -> Work<Self> {
        guard var draft = session?.draft else { return [] }
        let sentence: String
        switch draft.input {
        case .messages(let messages, _):
            let texts = messages.flatMap(\.parts).compactMap { if case .text(let text) = $0 { text } else { nil } }
            draft.input = .text(texts.joined(separator: "\n"))
            sentence = "The model now continues plain text."
        case .text(let text):
            draft.input = .messages(text.isEmpty ? [] : [Message(.user, [.text(text)])], tools: [])
            sentence = "The model now replies in a chat."
        case .tokens: return .notify("A prompt of token IDs cannot switch modes. Press E to edit it.")
        }
        session?.draft = draft
        session?.answer = nil
        refillText()
        return [saveDraft(), .notify(sentence)]
    }

    mutating func saveDraft() -> Work<Self> {
        guard let open = session else { return [] }
        let (id, draft) = (open.session.id, open.draft)
        unsaved[id] = draft
        var session = open.session
        session.draft = open.draft.text
        session.changed = engine.now()
        if session.title == Self.untitled, !open.draft.isEmpty {
            session.title = String(
                open.draft.caption.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(60))
        }
        return write { [session] in
            try $0.store.save(session)
        } then: { page, saved in
            if page.unsaved[id] == draft { page.unsaved[id] = nil }
            if page.session?.session.id == saved.id { page.session?.session = saved }
            return Self.reload
        } failed: { page, sentence in
            page.unsaved[id] = nil
            return .notify(sentence, .failure)
        }
    }

    mutating func editDraft() -> Work<Self> {
        guard let session else { return [] }
        do {
            let known = draft.flatMap { $0.session == session.session.id ? $0.path : nil }
            let path = try known ?? DraftFile.write(session.draft.text)
            draft = (session.session.id, path)
            return .edit(path) { $0.readDraft(from: path) }
        } catch {
            return .notify("\(error)", .failure)
        }
    }

    private mutating func readDraft(from path: String) -> Work<Self> {
        let text: String
        do {
            text = try DraftFile.read(path)
        } catch {
            draft = nil
            return .notify("\(error)", .failure)
        }
        do {
            session?.draft = try PromptDocument(text: text)
            DraftFile.remove(path)
            draft = nil
            if session?.isDraftChanged == true { session?.answer = nil }
            refillText()
            return saveDraft()
        } catch {
            return .notify("The prompt is unchanged: \(error) Press E to reopen your text.", .failure)
        }
    }
}
