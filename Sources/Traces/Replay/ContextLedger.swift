internal import LanguageModels

/// What every call's input was made of, as far as the log and the bill allow.
///
/// The first call of a conversation is estimated by density: what was billed beyond that is not in the log. From then
/// on, the bill itself measures what is added. The growth from one call to the next is the cost of the messages in
/// between, dense or wordy; only its split among them is estimated from their bytes. Other kinds of growth are
/// recognized:
///
/// - More than twice what the messages are expected to come to: something was put in that is not in the log (a reminder,
///   a file), and the part "not in the log" grows by the difference. So does it with images, whose size no log tells.
/// - Less than half: some earlier content was removed. The log does not say which, so the logged parts are scaled down
///   together. If the thinking of earlier turns accounts for the gap when a user's turn starts, it was removed:
///   providers drop it then.
/// - Where a system prompt and all tools are recorded, the first call is measured by its bill as well.
struct ContextLedger: Sendable {
    /// By message: what the conversation up to it came to. Messages that no call read have none.
    fileprivate(set) var upTo: [ContextWeights]
    /// Tokens that are not in the log, by step; 0 if nothing was billed.
    fileprivate(set) var hidden: [Int]
    /// By step: the thinking that the provider had dropped, of what `upTo` holds.
    fileprivate(set) var dropped: [Float]
    /// Tokens billed as input, by step; 0 if not recorded.
    fileprivate(set) var billed: [Int]
    /// By step: its model, as an index of `densities`; -1 for tool calls.
    fileprivate(set) var model: [Int32]
    fileprivate(set) var densities: [TokenDensity] = []
    /// Of all models together.
    fileprivate(set) var overall = TokenDensity.usual
    /// Steps that were the first to read the summary of a compaction, ascending.
    fileprivate(set) var compacted: [Int] = []

    /// O(spans + messages).
    init(_ trace: Trace, _ steps: Steps, _ outline: SpanOutline, _ tree: MessageTree, _ order: CallOrder) {
        let count = steps.spans.count
        upTo = trace.messages.indices.map { ContextWeights(of: trace.messages[$0]) }
        hidden = [Int](repeating: 0, count: count)
        dropped = [Float](repeating: 0, count: count)
        billed = hidden
        model = [Int32](repeating: -1, count: count)
        readCalls(trace.spans, steps, outline)
        var bookkeeper = Bookkeeper(trace, steps, outline, tree, order, self)
        bookkeeper.fit(&self)
        bookkeeper.enter(into: &self)
    }

    private mutating func readCalls(_ spans: [Span], _ steps: Steps, _ outline: SpanOutline) {
        var names: [String?: Int32] = [:]
        var last: (name: String?, index: Int32) = (nil, -1)
        for (step, span) in steps.spans.enumerated() where outline.kind[span] == .model {
            // An input of 0 is a missing value, from a failed call or a log that omits it.
            billed[step] = min(max(0, spans[span].usage?.input ?? 0), Self.mostTokens)
            let name = spans[span].model
            if last.index < 0 || name != last.name {
                let index = names[name] ?? Int32(names.count)
                names[name] = index
                last = (name, index)
            }
            model[step] = last.index
        }
        densities = [TokenDensity](repeating: .usual, count: names.count)
    }

    /// Beyond any context, and far from where sums overflow.
    private static let mostTokens = 1 << 48

    /// What a call's input came to, `notInLog` left out.
    func weights(ofCall step: Int, head: Int32) -> ContextWeights {
        guard head >= 0 else { return .none }
        var weights = upTo[Int(head)]
        weights[.reasoning] = max(0, weights[.reasoning] - dropped[step])
        return weights
    }

    func density(ofCall step: Int) -> TokenDensity { model[step] >= 0 ? densities[Int(model[step])] : overall }
}

/// Writes the ledger: goes through the calls in order, each message once.
private struct Bookkeeper {
    private let steps: Steps
    private let outline: SpanOutline
    private let tree: MessageTree
    /// By step: the last call before it in its conversation for which something was billed; -1 for none.
    private var base: [Int32]
    private let isCompaction: [Bool]
    private let usesTools: Bool
    private var isEntered: [Bool]
    /// Messages from one call's input to the next, latest first.
    private var path: [Int32] = []

    init(
        _ trace: Trace, _ steps: Steps, _ outline: SpanOutline, _ tree: MessageTree, _ order: CallOrder,
        _ ledger: ContextLedger
    ) {
        self.steps = steps
        self.outline = outline
        self.tree = tree
        isCompaction = trace.messages.map { $0.marks.contains(.compaction) }
        usesTools = outline.kind.contains(.tool)
        isEntered = [Bool](repeating: false, count: tree.count)
        base = [Int32](repeating: -1, count: steps.spans.count)
        for step in base.indices where order.continues[step] && order.earlier[step] >= 0 {
            let earlier = Int(order.earlier[step])
            base[step] = ledger.billed[earlier] > 0 ? Int32(earlier) : base[earlier]
        }
    }

    private func head(_ step: Int) -> Int32 { outline.head[steps.spans[step]] }

    /// Finds the messages of a conversation that were not entered yet, and the entered one before them; -1 for none.
    private mutating func findPath(endingAt head: Int32) -> Int32 {
        path.removeAll(keepingCapacity: true)
        var message = head
        while message >= 0, !isEntered[Int(message)] {
            path.append(message)
            message = tree.previous[Int(message)]
        }
        return message
    }

    private func sum(_ ledger: ContextLedger) -> ContextWeights {
        var sum = ContextWeights.none
        for message in path { sum += ledger.upTo[Int(message)] }
        return sum
    }

    /// Whether all that a first call reads is recorded, so that its bill measures it.
    private func isComplete(_ weights: ContextWeights) -> Bool {
        weights[.system] > 0 && (weights[.tools] > 0 || !usesTools) && !weights.hasAttachments
    }

    // MARK: Densities

    mutating func fit(_ ledger: inout ContextLedger) {
        var growths = [[TokenDensity.Growth]](repeating: [], count: ledger.densities.count)
        for step in steps.spans.indices where ledger.billed[step] > 0 && head(step) >= 0 {
            let before = findPath(endingAt: head(step))
            for message in path { isEntered[Int(message)] = true }
            let base = Int(self.base[step])
            let weights = sum(ledger)
            var tokens = ledger.billed[step]
            if base >= 0 {
                guard before == head(base), ledger.model[base] == ledger.model[step], !weights.hasAttachments else {
                    continue
                }
                tokens -= ledger.billed[base]
            } else {
                guard before < 0, isComplete(weights) else { continue }
            }
            growths[Int(ledger.model[step])].append(
                .init(bytes: weights.bytes, exchanges: weights.exchanges, tokens: Double(tokens)))
        }
        ledger.overall = TokenDensity(fitting: growths.flatMap(\.self)) ?? .usual
        ledger.densities = growths.map { TokenDensity(fitting: $0) ?? ledger.overall }
        isEntered = [Bool](repeating: false, count: tree.count)
    }

    // MARK: Entries

    mutating func enter(into ledger: inout ContextLedger) {
        for step in steps.spans.indices where ledger.model[step] >= 0 {
            let before = findPath(endingAt: head(step))
            if path.contains(where: { isCompaction[Int($0)] }) { ledger.compacted.append(step) }
            let measure = measure(step, after: before, &ledger)
            var total = before >= 0 ? ledger.upTo[Int(before)] : .none
            for message in path.reversed() {
                total += ledger.upTo[Int(message)].scaled(by: Float(measure.factor))
                ledger.upTo[Int(message)] = total
                isEntered[Int(message)] = true
            }
            if measure.dropsThinking { ledger.dropped[step] = total[.reasoning] }
            guard ledger.billed[step] > 0, !continuesMeasure(step, ledger) else { continue }
            let logged = ledger.weights(ofCall: step, head: head(step)).tokens(ledger.density(ofCall: step))
            ledger.hidden[step] = max(0, ledger.billed[step] - Int(logged.rounded()))
        }
    }

    /// Whether a call's bill can be compared with an earlier one's: models count tokens differently.
    private func continuesMeasure(_ step: Int, _ ledger: ContextLedger) -> Bool {
        base[step] >= 0 && ledger.model[Int(base[step])] == ledger.model[step]
    }

    /// How much more than expected the messages on the path came to, and what else the bill tells of a call.
    private func measure(_ step: Int, after before: Int32, _ ledger: inout ContextLedger) -> Measure {
        let base = Int(self.base[step])
        if base >= 0 { ledger.dropped[step] = ledger.dropped[base] }
        guard ledger.billed[step] > 0 else { return Measure() }
        let density = ledger.density(ofCall: step)
        let weights = sum(ledger)
        let entered = before >= 0 ? ledger.upTo[Int(before)] : .none
        guard continuesMeasure(step, ledger) else {
            var all = entered
            all += weights
            guard base < 0, isComplete(all) else { return Measure() }
            let growth = Double(ledger.billed[step]) - entered.tokens(density)
            return Measure(factor: Self.factor(growth, of: weights.tokens(density)) ?? 1)
        }
        let known = ledger.upTo[Int(head(base))]
        // Messages between the two calls that another call read meanwhile are measured already.
        let read = entered.tokens(density) - known.tokens(density)
        let growth = Double(ledger.billed[step] - ledger.billed[base]) - read
        var surplus = growth - weights.tokens(density)
        var measure = Measure()
        let thinking = entered[.reasoning] - ledger.dropped[base] + weights[.reasoning]
        let thought = Double(thinking) / density.bytesPerToken
        if weights[.user] > 0, thought > Self.smallest, abs(surplus + thought) < abs(surplus) / 2 {
            surplus += thought
            measure.dropsThinking = true
        }
        let expected =
            weights.tokens(density) - (measure.dropsThinking ? Double(weights[.reasoning]) / density.bytesPerToken : 0)
        let factor = weights.hasAttachments && surplus > 0 ? nil : Self.factor(expected + surplus, of: expected)
        measure.factor = factor ?? 1
        // A little less is rounding and wrapping; much less is text that was taken out, which is still in the log.
        let hidden = factor != nil || surplus < -Self.smallest ? 0 : surplus
        ledger.hidden[step] = max(0, min(ledger.billed[step], ledger.hidden[base] + Int(hidden.rounded())))
        return measure
    }

    private struct Measure {
        var factor = 1.0
        /// Whether the provider dropped all thinking so far with this call.
        var dropsThinking = false
    }

    /// Tokens too few to build on.
    private static let smallest = 64.0

    /// Returns a growth as a multiple of the expected growth; `nil` if it is too far off to come from those messages
    /// alone.
    private static func factor(_ growth: Double, of expected: Double) -> Double? {
        guard expected > 0, growth >= expected / 2, growth <= expected * 2 else { return nil }
        return growth / expected
    }
}
