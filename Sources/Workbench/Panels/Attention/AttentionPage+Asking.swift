internal import Console
internal import Formatting

/// Questions to the user: texts to read, models, and what the readings show.
extension AttentionPage {
    /// Asks for the text that the model reads.
    func askText() -> Work<Self> {
        .text("Text for the model", verb: "read", order.text ?? "") { $1.isEmpty ? [] : $0.use(text: $1) }
    }

    private mutating func use(text: String) -> Work<Self> {
        order = AttentionOrder(model: order.model, content: .text(text))
        return order.model.isEmpty ? askModel() : start(order)
    }

    func askModel() -> Work<Self> {
        .model(ModelChoices.request(names: knownModels ?? [], current: order.model) { $0 }) { $0.use($1) }
    }

    private mutating func use(_ model: String) -> Work<Self> {
        order.model = model
        // Tokens belong to the vocabulary that made them.
        if order.text == nil, let run { order.content = .text(run.tokens.joined()) }
        order.answer = nil
        return order.isEmpty ? [] : start(order)
    }

    // MARK: The editor

    mutating func editPrompt() -> Work<Self> {
        do {
            let path = try draft ?? DraftFile.write(order.text ?? "")
            draft = path
            return .edit(path) { $0.readPrompt(from: path) }
        } catch {
            return .notify("\(error)", .failure)
        }
    }

    private mutating func readPrompt(from path: String) -> Work<Self> {
        draft = nil
        do {
            var text = try DraftFile.read(path)
            // Editors append a line feed at the end of a file.
            if text.hasSuffix("\n") { text.removeLast() }
            DraftFile.remove(path)
            return text.isEmpty || text == order.text && run != nil ? [] : use(text: text)
        } catch {
            return .notify("\(error)", .failure)
        }
    }

    // MARK: Comparing

    private enum Other: Sendable {
        case text, file
        case model(String)
    }

    /// Asks what to compare with: another text for this model, or another model for this text.
    func askOther() -> Work<Self> {
        let text = Choice("another text…", detail: "Use the same model with another text.", value: Other.text)
        let models = (knownModels ?? []).filter { $0 != order.model }.map {
            Choice($0, facts: ["in process"], detail: "Use another model with the same text.", value: Other.model($0))
        }
        let file = ModelChoices.findChoice.map { _ in Other.file }
        return .choose(
            "Compare with", [text] + models + [file], typed: ("Compare with the text", { $0.compare(with: $1) })
        ) { page, other in
            switch other {
            case .text: page.askOtherText()
            case .file: .browse(ModelChoices.browse { $0 }) { $0.compare(with: $1) }
            case .model(let name): page.compare(with: name)
            }
        }
    }

    private func askOtherText() -> Work<Self> {
        let text = order.text ?? run?.tokens.joined() ?? ""
        return .text("Compare with another text", verb: "compare", text) { $0.compare(with: $1) }
    }

    /// Starts a second run: another model on the same text if its name or path is chosen, or else another text.
    private mutating func compare(with typed: String) -> Work<Self> {
        guard !typed.isEmpty else { return [] }
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

    /// Asks for the factor of the selected head and for the first token at which changed heads apply.
    func askScale() -> Work<Self> {
        let count = run?.tokens.count ?? 1
        let factor = Form.Field(
            "factor", value: "0.5", help: "0 turns the head off, 1 leaves it unchanged, 2 doubles it.",
            check: { Float($0)?.isFinite == true ? nil : "must be a number" })
        let start = Form.Field(
            "from", value: "\(changes.isEmpty ? 0 : changesStart)", allowed: "token 0 to \(count - 1)",
            help: "The change applies starting at this token. The cursor is on token \(token).",
            check: { Int($0).map { (0..<count).contains($0) } == true ? nil : "must be a token from 0 to \(count - 1)" }
        )
        return .form(Form("Scale \(headName)", [factor, start])) { page, values in
            guard let scale = values[factor.name].flatMap(Float.init),
                let start = values[start.name].flatMap({ Int($0) })
            else { return [] }
            page.changesStart = start
            return page.setScale(scale)
        }
    }

    // MARK: Readings

    func askSearch() -> Work<Self> {
        .prompt(
            "/", history: "search",
            cancelled: { page in
                page.search = ""
                page.tokens.find("")
                return []
            },
            then: { page, typed in
                page.search = typed
                page.tokens.find(typed)
                return typed.isEmpty ? [] : page.findText(forward: true)
            })
    }

    /// Asks for the token whose rank the lens shows: the token that follows, a token that the model found likely at the
    /// cursor, a token of the text, or any token by its text.
    func askTarget() -> Work<Self> {
        let next = Choice(
            "the next token", detail: "At each position, the token that follows.", isCurrent: request.target == nil,
            value: "")
        let likely = (look?.facts?.alternatives ?? []).map { other in
            (text: other.text, fact: Format.probability(Double(other.probability)))
        }
        var seen: Set<String> = []
        let tokens = (likely + (shownRun?.tokens ?? []).map { (text: $0, fact: "in the text") })
            .filter { seen.insert($0.text).inserted }
            .map { text, fact in
                Choice(
                    AlternativesTable.visible(text), facts: [fact], isCurrent: request.target == text, value: text)
            }
        func set(_ page: inout Self, _ target: String) -> Work<Self> {
            page.request.target = target.isEmpty ? nil : target
            return []
        }
        return .choose("Rank of", [next] + tokens, typed: ("Show the rank of", set), then: set)
    }

    /// Asks for the tokens whose share of the cursor's attention is shown.
    func askRange() -> Work<Self> {
        guard let count = run?.tokens.count else { return [] }
        let field = Form.Field(
            "tokens", value: request.range.map(Self.text) ?? "", allowed: "empty: none",
            help: "The first and the last token, counted from 0, such as 12-40.",
            check: { typed in
                let isRange = typed.trimmed.isEmpty || Self.range(typed, of: count) != nil
                return isRange ? nil : "must be two numbers from 0 to \(count - 1)"
            })
        return .value("Attention to a range of tokens", field) { page, typed in
            let range = Self.range(typed, of: count)
            guard range != nil || typed.isEmpty else { return [] }
            page.request.range = range
            if range != nil { page.request.tab = .token }
            return []
        }
    }

    /// Parses a range such as 12-40 of `count` tokens; `nil` if invalid.
    private static func range(_ typed: String, of count: Int) -> Range<Int>? {
        let numbers = typed.split(whereSeparator: { "-.: ".contains($0) }).map { Int($0) }
        guard let first = numbers.first ?? nil, let last = numbers.last ?? nil, numbers.count <= 2,
            first >= 0, first <= last, last < count
        else { return nil }
        return first..<last + 1
    }

    static func text(_ range: Range<Int>) -> String { "\(range.lowerBound)-\(range.upperBound - 1)" }
}
