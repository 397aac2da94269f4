internal import LanguageModels

/// The order of calls: the model call that requested each tool call, and the call that each model call continues.
///
/// Formats nest spans differently. A tool call is below the model call that requested it (some SDKs), next to it below
/// the agent (Claude Code, OpenTelemetry's conventions), or each is in a step of its own (graphs of nodes). Recorded
/// relations therefore take precedence, then proximity:
///
/// 1. A model span around the tool span asked for it.
/// 2. Else the answer that stands before the tool's result in its conversation: right for calls that ran in parallel,
///    however late their results came.
/// 3. Else the last model call that began before it, looked for below the nearest span around it, then the next one out.
///
/// An agent or tool around a model call bounds its conversation: what a sub-agent's calls read is their own. A model
/// call continues the last earlier call whose input is a prefix of its own input, as the messages of forks and retries
/// show. Without such a call (the first call, after a compaction, or if inputs were not recorded), it continues the
/// last call of the same agent, whose content it may not know.
struct CallOrder: Sendable {
    /// By step: for a model call itself, for a tool call the step of the model call that asked for it; -1 for none.
    private(set) var call: [Int32]
    /// By step: for a model call the step that it continues, by messages or else as the agent's last; -1 for none.
    private(set) var earlier: [Int32]
    /// By step: whether `earlier` is known from the messages.
    private(set) var continues: [Bool]

    /// O(spans + messages).
    init(
        _ outline: SpanOutline, _ tree: MessageTree, _ steps: Steps, _ messages: [MessageEntry],
        _ spanMessages: SpanMessages
    ) {
        call = [Int32](repeating: -1, count: steps.spans.count)
        earlier = call
        continues = [Bool](repeating: false, count: call.count)
        let answers = Self.answers(outline, tree, messages)
        var nearby = NearbyCalls(outline)
        var inputs = Inputs(outline, tree)
        for (step, span) in steps.spans.enumerated() {
            if outline.kind[span] == .model {
                call[step] = Int32(step)
                if let continued = inputs.continued(by: outline.head[span]) {
                    earlier[step] = continued
                    continues[step] = true
                } else {
                    earlier[step] = nearby.last(around: span, beyondAgent: false)
                }
                inputs.add(outline.head[span], step: Int32(step))
                nearby.add(span, step: Int32(step))
            } else {
                var asker = outline.enclosingModel[span]
                if asker < 0, let result = spanMessages[span].first { asker = answers[Int(result)] }
                call[step] = asker >= 0 ? steps.step[Int(asker)] : nearby.last(around: span, beyondAgent: true)
            }
        }
    }

    /// By message: the model span of the nearest answer at or before it in its conversation; -1 for none.
    private static func answers(
        _ outline: SpanOutline, _ tree: MessageTree, _ messages: [MessageEntry]
    ) -> [Int32] {
        var nearest = [Int32](repeating: -1, count: messages.count)
        for message in messages.indices {
            let span = messages[message].role == .assistant ? outline.span(messages[message].span) : -1
            if span >= 0, outline.kind[Int(span)] == .model {
                nearest[message] = span
            } else if tree.previous[message] >= 0 {
                nearest[message] = nearest[Int(tree.previous[message])]
            }
        }
        return nearest
    }
}

/// Finds, among the calls so far, the call whose input is a prefix of another call's input.
private struct Inputs {
    private let tree: MessageTree
    /// By message: the nearest message at or before it at which some call's input ends; -1 for none.
    private var nearestHead: [Int32]
    /// By message: the last call so far whose input ends there; -1 for none.
    private var lastCall: [Int32]

    init(_ outline: SpanOutline, _ tree: MessageTree) {
        self.tree = tree
        nearestHead = [Int32](repeating: -1, count: tree.count)
        lastCall = nearestHead
        for span in outline.head.indices where outline.kind[span] == .model && outline.head[span] >= 0 {
            nearestHead[Int(outline.head[span])] = outline.head[span]
        }
        for message in 0..<tree.count where nearestHead[message] < 0 && tree.previous[message] >= 0 {
            nearestHead[message] = nearestHead[Int(tree.previous[message])]
        }
    }

    mutating func add(_ head: Int32, step: Int32) {
        if head >= 0 { lastCall[Int(head)] = step }
    }

    /// A retry continues the failed attempt; another call continues the call whose input ends nearest to its own end.
    func continued(by head: Int32) -> Int32? {
        guard head >= 0 else { return nil }
        if lastCall[Int(head)] >= 0 { return lastCall[Int(head)] }
        let before = tree.previous[Int(head)]
        guard before >= 0, nearestHead[Int(before)] >= 0 else { return nil }
        let call = lastCall[Int(nearestHead[Int(before)])]
        return call >= 0 ? call : nil
    }
}

/// The last model call so far below each span, up to the agent or tool whose conversation it belongs to.
private struct NearbyCalls {
    private let outline: SpanOutline
    /// By span, then for the trace as a whole; -1 for none.
    private var last: [Int32]
    /// Last of all calls, of any agent.
    private var lastOfAll: Int32 = -1
    /// No honest trace nests deeper; a damaged one must not cost a walk of its depth for every step.
    private static let deepest = 64

    init(_ outline: SpanOutline) {
        self.outline = outline
        last = [Int32](repeating: -1, count: outline.count + 1)
    }

    mutating func add(_ span: Int, step: Int32) {
        lastOfAll = step
        let owner = outline.owner[span]
        var place = outline.parent[span]
        for _ in 0..<Self.deepest where place >= 0 && place != owner {
            last[Int(place)] = step
            place = outline.parent[Int(place)]
        }
        last[owner < 0 ? last.count - 1 : Int(owner)] = step
    }

    /// - Parameter beyondAgent: Whether a call of the agent around this one will do, and at last any.
    func last(around span: Int, beyondAgent: Bool) -> Int32 {
        let owner = outline.owner[span]
        var place = outline.parent[span]
        for _ in 0..<Self.deepest where place >= 0 {
            if last[Int(place)] >= 0 { return last[Int(place)] }
            if !beyondAgent, place == owner { return -1 }
            place = outline.parent[Int(place)]
        }
        if last[last.count - 1] >= 0, beyondAgent || owner < 0 { return last[last.count - 1] }
        return beyondAgent ? lastOfAll : -1
    }
}
