internal import Console
internal import Workspace

extension AttentionPage {
    /// Key of the operations, of which one runs at a time.
    static let operationKey = "attention"

    /// Starts reading a text; a second text is compared with the first.
    mutating func start(_ order: AttentionOrder, isSecond: Bool = false) -> Work<Self> {
        fault = nil
        if !isSecond {
            self.order = order
            changes = []
        }
        return perform(.reading(0, of: 0)) { try $0.open(order, isSecond: isSecond, $1, $2) }
    }

    /// Removes the last generated token.
    mutating func stepBack() -> Work<Self> {
        perform(.stepping) { engine, cancellation, _ in try engine.stepBack(cancellation) }
    }

    /// Continues with at most `tokens` tokens (default: until the text ends or the user pauses).
    mutating func generate(_ tokens: Int?) -> Work<Self> { perform(.generating) { try $0.generate(tokens, $1, $2) } }

    private mutating func applyChanges() -> Work<Self> {
        guard !changes.isEmpty else { return closeSecond() }
        return perform(.changing) { [changes, changesStart] in try $0.change(changes, from: changesStart, $1, $2) }
    }

    private mutating func perform(
        _ operation: Operation,
        _ work: @escaping @Sendable (any AttentionEngine, Cancellation, AttentionTelling) throws -> AttentionRuns
    ) -> Work<Self> {
        self.operation = operation
        return stream(Self.operationKey, work) { page, progress in
            switch progress {
            case .reading(let count, let total):
                page.operation = .reading(count, of: total)
                return []
            case .came(let runs): return page.show(runs)
            }
        } then: { page, runs in
            defer { page.operation = nil }
            return page.show(runs)
        } failed: { page, sentence in
            // Tokens that were read or generated before the end remain.
            if case .reading = page.operation { page.fault = sentence }
            page.operation = nil
            if page.second == nil { page.changes = [] }
            page.revision += 1
            return []
        }
    }

    // MARK: Results

    /// Shows the new state of the runs.
    private mutating func show(_ runs: AttentionRuns) -> Work<Self> {
        let isNew = runs.place != nil || run == nil
        var told: [Work<Self>] = runs.remark.map { [.notify($0, .warning)] } ?? []
        if runs.isChange, second == nil {
            told.append(.notify("B runs with \(changesTitle): s shows B, then B - A."))
        }
        let last = runs.first.tokens.count - 1
        let wasAtEnd = token >= (run?.tokens.count ?? 1) - 1
        (run, second) = (runs.first, runs.second)
        revision += 1
        fill(&tokens, with: runs.first)
        if let second { fill(&otherTokens, with: second) } else { shown = .first }
        key = min(key, last)
        if runs.isChange, looks?.divergence == nil { shading = .divergence }
        if !readings.contains(request.tab) { request.tab = .token }
        if isNew {
            looks = nil
            request.window.showAll()
            request.range = runs.range
            if runs.range != nil { request.tab = .token }
            tokens.moveCursor(to: runs.place ?? last)
            key = min(token, runs.range?.lowerBound ?? token)
        } else if wasAtEnd, operation == .generating {
            // A cursor at the end follows new tokens.
            tokens.moveToEnd()
        }
        wantsStrongest = isNew && runs.range == nil
        select(layer: request.layer, head: request.head)
        return Work(told)
    }

    private func fill(_ text: inout ShadedTokens, with run: AttentionRun) {
        let known = text.texts.count
        if known <= run.tokens.count, text.texts.last == run.tokens[..<known].last, known > 0,
            text.texts.elementsEqual(run.tokens[..<known])
        {
            for token in run.tokens[known...] { text.append(token) }
        } else {
            text.setTokens(run.tokens)
            text.find(search)
        }
    }

    mutating func show(_ looks: AttentionLooks) -> Work<Self> {
        self.looks = looks
        guard wantsStrongest, look?.attended != nil, look?.request.token == token else { return [] }
        wantsStrongest = false
        return standOnStrongest(isAsked: false)
    }

    // MARK: Changed heads

    /// Description such as `L0H5 off, L1H2 × 2 from token 12`.
    var changesTitle: String {
        changes.map(\.title).joined(separator: ", ") + (changesStart > 0 ? " from token \(changesStart)" : "")
    }

    mutating func toggleHead() -> Work<Self> {
        if changes.isEmpty { changesStart = 0 }
        return setScale(changeOfHead == nil ? 0 : 1)
    }

    /// Scales the output of the selected head; 1 leaves it unchanged.
    mutating func setScale(_ scale: Float) -> Work<Self> {
        let before = changeOfHead
        changes.removeAll { $0 == before }
        if scale != 1 { changes.append(HeadChange(layer: request.layer, head: request.head, scale: scale)) }
        return applyChanges()
    }

    mutating func restoreHeads() -> Work<Self> { [closeSecond(), .notify("restored all heads")] }

    /// Asks before an action that drops changed heads. Restoring a single head needs no question.
    mutating func dropping(
        _ label: String = "discard", before action: @escaping (inout Self) -> Work<Self>
    ) -> Work<Self> {
        guard !changes.isEmpty else { return action(&self) }
        let title = changes.count == 1 ? "Discard the head change?" : "Discard \(changes.count) head changes?"
        return .question(
            Question(title, lines: ["B runs with \(changesTitle)."], [.init("d", label, value: true)])
        ) { page, _ in action(&page) }
    }

    // MARK: Comparing

    /// Ends the comparison, or asks what to compare with, also after the question about changed heads.
    mutating func compare() -> Work<Self> {
        guard second != nil else { return askOther() }
        let hadChanges = !changes.isEmpty
        return [closeSecond(), hadChanges ? askOther() : []]
    }

    mutating func closeSecond() -> Work<Self> {
        second = nil
        shown = .first
        changes = []
        looks?.second = nil
        looks?.divergence = nil
        if shading == .divergence { shading = .attendsTo }
        return read("close") {
            $0.closeSecond()
        } show: { page, _ in
            page.revision += 1
        }
    }
}
