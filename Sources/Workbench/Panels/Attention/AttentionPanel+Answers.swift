internal import Console
internal import Presentation

extension AttentionPanel {
    mutating func start(_ saved: String?) -> [Effect<AttentionAnswer>] {
        if let saved, let screen = AttentionScreen(json: saved) {
            screen.apply(to: &self)
            isRestored = true
        }
        return askModels() + relayout()
    }

    mutating func receive(_ value: AttentionAnswer) -> [Effect<AttentionAnswer>] {
        switch value {
        case .models(let models):
            knownModels = models
            return propose(models)
        case .found(let box):
            isOpening = false
            let told = box.order.remark.map { [Effect<AttentionAnswer>.notify($0, .information)] } ?? []
            pane = .tokens
            return told + start(box.order, isSecond: false)
        case .reading(let count, let total):
            work = .reading(count, of: total)
            return []
        case .came(let box): return take(box)
        case .looked(let box):
            looks = box.looks
            shadeTokens()
            guard wantsStrongest, look?.attended != nil, look?.request.token == token else { return [] }
            wantsStrongest = false
            return standOnStrongest(isAsked: false)
        case .ended(let sentence): return sentence.map { [.notify($0, .information)] } ?? []
        case .done(let sentence): return [.notify(sentence, .success)]
        case .line(let line, let typed): return accept(line, typed)
        case .scaled(let factor, let start): return scaleHead(factor, from: start)
        case .confirmed(let action): return carryOut(action)
        case .lineCancelled(let line):
            if line == .search {
                search = ""
                tokens.find("")
            }
            return []
        case .edited(let path): return readPrompt(from: path)
        }
    }

    /// Proposes a text that shows what heads do, unless the last start left one. The model that comes with Orrery reads it
    /// at once; any other model may be large and waits for Enter.
    private mutating func propose(_ models: [String]) -> [Effect<AttentionAnswer>] {
        guard run == nil, work == nil, fault == nil, !isOpening else { return [] }
        if order.model.isEmpty { order.model = SampleTexts.model(among: models) ?? models.first ?? "" }
        guard !order.model.isEmpty else { return [] }
        if order.isEmpty { order.content = .text(SampleTexts.attention.text) }
        guard SampleTexts.isModel(order.model) else { return [] }
        if !isRestored {
            (request.layer, request.head) = SampleTexts.attentionHead
            // The note names a head: its neighbors are one key away.
            pane = .heads
        }
        return start(order, isSecond: false)
    }

    /// Whether the text is the proposed sample, on its own model.
    var isSample: Bool { SampleTexts.isModel(order.model) && order.text == SampleTexts.attention.text }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<AttentionAnswer>] {
        guard key == Work.key else {
            if key == "look" { fault = sentence }
            if key == "find" { isOpening = false }
            return []
        }
        // Tokens that were read or generated before the end remain.
        let wasOpening = if case .reading = work { true } else { false }
        work = nil
        if wasOpening { fault = sentence }
        if second == nil { changes = [] }
        return ask()
    }

    /// Shows the new state of a run; the last state of an operation moves the cursor.
    private mutating func take(_ box: AttentionRunBox) -> [Effect<AttentionAnswer>] {
        let isNew = box.place != nil || run == nil
        var told: [Effect<AttentionAnswer>] = box.remark.map { [.notify($0, .warning)] } ?? []
        if box.isChange, second == nil {
            told.append(.notify("B runs with \(changesTitle): s shows B, then B - A.", .information))
        }
        let wasAtEnd = token >= (run?.tokens.count ?? 1) - 1
        run = box.first
        second = box.second
        fill(&tokens, with: box.first)
        if let second { fill(&otherTokens, with: second) }
        key = min(key, box.first.tokens.count - 1)
        if second == nil, shown != .first { shown = .first }
        if box.isChange, looks?.divergence == nil { shading = .divergence }
        if !readings.contains(request.tab) { request.tab = .token }
        if isNew {
            looks = nil
            request.window.showAll()
            request.range = box.range
            if box.range != nil { request.tab = .token }
            tokens.moveCursor(to: box.place ?? box.first.tokens.count - 1)
        } else if wasAtEnd, work == .generating {
            // A cursor at the end follows new tokens.
            tokens.moveToEnd()
        }
        tokens.marked = request.range
        if box.isLast { work = nil }
        select(layer: request.layer, head: request.head)
        key = isNew ? token : key
        wantsStrongest = isNew && box.range == nil
        if let range = box.range, isNew, range.lowerBound <= token {
            key = range.lowerBound
            request.token = token
        }
        return told + relayout()
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

    /// Shades the tokens by the computed views, unless those belong to another cursor position.
    mutating func shadeTokens() {
        func values(_ look: AttentionLook?) -> [Float] {
            guard let look else { return [] }
            switch shading {
            case .attendsTo: return look.request.token == token ? look.attended ?? [] : []
            case .attendedBy: return look.request.token == token ? look.attending ?? [] : []
            case .divergence: return divergences
            }
        }
        tokens.values = shading == .divergence ? [] : values(looks?.first)
        otherTokens.values = values(looks?.second)
        let both = tokens.values + otherTokens.values
        let scale: HeatScale = shading == .divergence ? .sequential(of: both) : .root(of: both)
        tokens.scale = scale
        otherTokens.scale = scale
    }

    /// KL divergence of the next-token distribution at each token of the changed text; NaN before the change.
    private var divergences: [Float] {
        guard let divergence = looks?.divergence else { return [] }
        return Array(repeating: .nan, count: max(0, divergence.from)) + divergence.values
    }
}
