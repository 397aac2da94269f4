internal import Console

extension AttentionPanel {
    // MARK: Running

    /// Starts reading a text; a second text is compared with the first.
    mutating func start(_ order: AttentionOrder, isSecond: Bool) -> [Effect<AttentionAnswer>] {
        let engine = engine
        work = .reading(0, of: 0)
        fault = nil
        if !isSecond {
            self.order = order
            changes = []
        }
        return [
            .stream(key: Work.key) { cancellation, tell in
                .came(try engine.open(order, isSecond, cancellation) { tell(Self.told($0)) })
            }
        ]
    }

    /// Removes the last generated token.
    mutating func stepBack() -> [Effect<AttentionAnswer>] {
        let engine = engine
        work = .stepping
        return [.stream(key: Work.key) { cancellation, _ in .came(try engine.stepBack(cancellation)) }]
    }

    /// Generates at most `tokens` tokens (default: until the text ends or the user pauses).
    mutating func generate(_ tokens: Int?) -> [Effect<AttentionAnswer>] {
        let engine = engine
        work = .generating
        return [
            .stream(key: Work.key) { cancellation, tell in
                .came(try engine.generate(tokens, cancellation) { tell(Self.told($0)) })
            }
        ]
    }

    mutating func applyChanges() -> [Effect<AttentionAnswer>] {
        guard !changes.isEmpty else { return closeSecond() }
        let (engine, changes, start) = (engine, changes, changesStart)
        work = .changing
        return [
            .stream(key: Work.key) { cancellation, tell in
                .came(try engine.change(changes, start, cancellation) { tell(Self.told($0)) })
            }
        ]
    }

    private static func told(_ progress: AttentionEngine.Progress) -> AttentionAnswer {
        switch progress {
        case .reading(let count, let total): .reading(count, of: total)
        case .came(let box): .came(box)
        }
    }

    mutating func toggleHead() -> [Effect<AttentionAnswer>] {
        if changes.isEmpty { changesStart = 0 }
        if changeOfHead != nil {
            changes.removeAll { $0.layer == request.layer && $0.head == request.head }
        } else {
            changes.append(HeadChange(layer: request.layer, head: request.head, scale: 0))
        }
        return applyChanges()
    }

    mutating func closeSecond() -> [Effect<AttentionAnswer>] {
        second = nil
        shown = .first
        changes = []
        looks?.second = nil
        looks?.divergence = nil
        if shading == .divergence { shading = .attendsTo }
        let engine = engine
        return relayout() + [
            .ask(key: "close") { _ in
                engine.closeSecond()
                return .ended(nil)
            }
        ]
    }

    // MARK: What is shown

    /// Requests the views for the current cursor, windows, and panes.
    func ask() -> [Effect<AttentionAnswer>] {
        guard run != nil else { return [] }
        let engine = engine
        var request = request
        request.wantsAttending = shading == .attendedBy
        let wanted = request
        return [.ask(key: "look") { .looked(AttentionLookBox(looks: try engine.look(wanted, $0))) }]
    }

    mutating func cursorMoved() -> [Effect<AttentionAnswer>] {
        guard let run else { return [] }
        request.token = token
        // Later keys are masked, so the key passes the query only while the user moves over the cells.
        key = max(0, min(key, pane == .head ? run.tokens.count - 1 : token))
        request.window.reveal(query: token, key: key, of: run.readCount)
        if token < otherTokens.texts.count { otherTokens.moveCursor(to: token) }
        shadeTokens()
        return ask()
    }

    // MARK: Lines

    func line(
        _ line: AttentionAnswer.Line, _ label: String, text: String = "", history: String?
    ) -> Prompt<AttentionAnswer> {
        Prompt(label, text: text, isProposal: true, history: history, cancelled: .lineCancelled(line)) {
            .line(line, $0)
        }
    }

    func askModel(_ kind: AttentionAnswer.Line) -> [Effect<AttentionAnswer>] {
        [
            .choose(
                ModelChoices.request(
                    names: knownModels ?? [], current: order.model, cancelled: .lineCancelled(kind)
                ) { .line(kind, $0) })
        ]
    }

    func askModels() -> [Effect<AttentionAnswer>] {
        let engine = engine
        return [.ask(key: "models") { _ in .models(try engine.models()) }]
    }

    mutating func accept(_ line: AttentionAnswer.Line, _ typed: String) -> [Effect<AttentionAnswer>] {
        switch line {
        case .prompt:
            guard !typed.isEmpty else { return [] }
            order = AttentionOrder(model: order.model, content: .text(typed))
            return order.model.isEmpty ? askModel(.model) : start(order, isSecond: false)
        case .model:
            guard !typed.isEmpty else { return [] }
            if typed == ModelChoices.findFile { return [.browse(ModelChoices.browse { .line(.model, $0) })] }
            order.model = PathCompletion.expanded(typed)
            // Tokens belong to the vocabulary that made them.
            if order.text == nil, let run { order.content = .text(run.tokens.joined()) }
            order.answer = nil
            return order.isEmpty ? [] : start(order, isSecond: false)
        case .other: return compare(with: typed)
        case .search:
            search = typed
            tokens.find(typed)
            return typed.isEmpty ? [] : findText(forward: true)
        case .target:
            request.target = typed.isEmpty ? nil : typed
            return ask()
        case .range: return setRange(typed)
        case .export: return export(to: typed)
        }
    }

    /// Value of the row that asks for a text.
    private static let otherText = "another text"

    /// Asks what to compare with: another text for this model, or another model for this text.
    func askOther() -> Effect<AttentionAnswer> {
        let text = Choice("another text…", detail: "Use the same model with another text.", value: Self.otherText)
        let models = (knownModels ?? []).filter { $0 != order.model }
            .map { Choice($0, facts: ["in process"], detail: "Use another model with the same text.") }
        return .choose(
            ChoiceRequest(
                "Compare with", [text] + models + [ModelChoices.findChoice], typed: "Compare with the text"
            ) { .line(.other, $0) })
    }

    /// Compares with another text on the same model, or with another model on the same text if its name or path is
    /// chosen.
    private mutating func compare(with typed: String) -> [Effect<AttentionAnswer>] {
        guard !typed.isEmpty else { return [] }
        if typed == Self.otherText {
            return askOtherText()
        }
        if typed == ModelChoices.findFile { return [.browse(ModelChoices.browse { .line(.other, $0) })] }
        var other = order
        other.place = .end
        let path = PathCompletion.expanded(typed)
        if knownModels?.contains(typed) == true || path.hasPrefix("/") {
            other.model = path
            if other.text == nil, let run { other.content = .text(run.tokens.joined()) }
        } else {
            other.content = .text(typed)
        }
        return start(other, isSecond: true)
    }

    /// Asks for the tokens whose share of the cursor's attention is shown.
    func askRange() -> [Effect<AttentionAnswer>] {
        guard let count = run?.tokens.count else { return [] }
        let field = Form.Field(
            "tokens", value: request.range.map(Self.text) ?? "", allowed: "empty: none",
            help: "The first and the last token, counted from 0, such as 12-40.",
            check: { typed in
                let isRange = typed.trimmed.isEmpty || Self.range(typed, of: count) != nil
                return isRange ? nil : "must be two numbers from 0 to \(count - 1)"
            })
        return [.fill(FormRequest("Attention to a range of tokens", field) { .line(.range, $0) })]
    }

    /// Parses a range such as 12-40 of `count` tokens; `nil` if invalid.
    private static func range(_ typed: String, of count: Int) -> Range<Int>? {
        let numbers = typed.split(whereSeparator: { "-.: ".contains($0) }).map { Int($0) }
        guard let first = numbers.first ?? nil, let last = numbers.last ?? nil, numbers.count <= 2,
            first >= 0, first <= last, last < count
        else { return nil }
        return first..<last + 1
    }

    private mutating func setRange(_ typed: String) -> [Effect<AttentionAnswer>] {
        if typed.isEmpty {
            request.range = nil
        } else {
            guard let run, let range = Self.range(typed, of: run.tokens.count) else { return [] }
            request.range = range
            request.tab = .token
        }
        tokens.marked = request.range
        return ask()
    }

    // MARK: The editor

    mutating func editPrompt() -> [Effect<AttentionAnswer>] {
        do {
            let path = try draft ?? DraftFile.write(order.text ?? "")
            draft = path
            return [.edit(path: path, then: .edited(path: path))]
        } catch {
            return [.notify("\(error)", .failure)]
        }
    }

    mutating func readPrompt(from path: String) -> [Effect<AttentionAnswer>] {
        do {
            var text = try DraftFile.read(path)
            // Editors append a line feed at the end of a file.
            if text.hasSuffix("\n") { text.removeLast() }
            DraftFile.remove(path)
            draft = nil
            guard text != order.text || run == nil else { return [] }
            return accept(.prompt, text)
        } catch {
            draft = nil
            return [.notify("\(error)", .failure)]
        }
    }
}
