internal import Console

extension AttentionPanel {
    // MARK: Running

    /// Has a model read a text; the second one is held against the first.
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

    /// Takes the last token back.
    mutating func stepBack() -> [Effect<AttentionAnswer>] {
        let engine = engine
        work = .stepping
        return [.stream(key: Work.key) { cancellation, _ in .came(try engine.stepBack(cancellation)) }]
    }

    /// Lets the model go on: so many tokens, or until it is over or paused.
    mutating func generate(_ tokens: Int?) -> [Effect<AttentionAnswer>] {
        let engine = engine
        work = .generating
        return [
            .stream(key: Work.key) { cancellation, tell in
                .came(try engine.generate(tokens, cancellation) { tell(Self.told($0)) })
            }
        ]
    }

    private mutating func applyChanges() -> [Effect<AttentionAnswer>] {
        guard !changes.isEmpty else { return closeSecond() }
        let (engine, changes, token) = (engine, changes, token)
        work = .changing
        return [
            .stream(key: Work.key) { cancellation, tell in
                .came(try engine.change(changes, token, cancellation) { tell(Self.told($0)) })
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
        if changeOfHead != nil {
            changes.removeAll { $0.layer == request.layer && $0.head == request.head }
        } else {
            changes.append(HeadChange(layer: request.layer, head: request.head, scale: 0))
        }
        return applyChanges()
    }

    private mutating func scaleHead(_ typed: String) -> [Effect<AttentionAnswer>] {
        guard !typed.isEmpty else { return [] }
        guard let scale = Float(typed), scale.isFinite else {
            return [.notify("\(typed) is no number: 0 turns the head off, 1 leaves it, 2 doubles it", .warning)]
        }
        changes.removeAll { $0.layer == request.layer && $0.head == request.head }
        if scale != 1 { changes.append(HeadChange(layer: request.layer, head: request.head, scale: scale)) }
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

    /// Asks for what the cursor, the windows and the panes want.
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
        // A key that comes later is hidden: it is looked at where one walks over the cells alone.
        key = max(0, min(key, pane == .head ? run.tokens.count - 1 : token))
        request.window.reveal(query: token, key: key, of: run.readCount)
        if token < otherTokens.texts.count { otherTokens.stand(on: token) }
        shadeTokens()
        return ask()
    }

    // MARK: Lines

    func line(
        _ line: AttentionAnswer.Line, _ label: String, text: String = "", history: String?,
        complete: @escaping @Sendable (String) -> [String] = { _ in [] }
    ) -> Prompt<AttentionAnswer> {
        Prompt(
            label, text: text, isProposal: true, history: history, complete: complete, cancelled: .lineCancelled(line)
        ) {
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
        case .scale: return scaleHead(typed)
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

    /// Another text for the same model, or another model for the same text where a known name or a path is typed.
    private mutating func compare(with typed: String) -> [Effect<AttentionAnswer>] {
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

    private mutating func setRange(_ typed: String) -> [Effect<AttentionAnswer>] {
        let numbers = typed.split(whereSeparator: { "-.: ".contains($0) }).map { Int($0) }
        if typed.isEmpty {
            request.range = nil
        } else {
            guard let run, let first = numbers.first ?? nil, let last = numbers.last ?? nil, numbers.count <= 2,
                first >= 0, first <= last, last < run.tokens.count
            else { return [.notify("tokens are counted from 0: two numbers such as 12-40", .warning)] }
            request.range = first..<last + 1
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
            // Editors end a file with a line feed that nobody typed.
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
