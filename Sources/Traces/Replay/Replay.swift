internal import LanguageModels

/// A trace as a walk: its model calls and tool calls in the order in which they began, sub-agents' included.
///
/// ```swift
/// let replay = Replay(trace)
/// if let step = replay.next(.error, after: -1), let parts = replay.breakdown(at: step) {
///     let new = replay.context(at: step).messages.dropFirst(replay.context(at: step).known)
///     print(replay[step].name, new.count, parts[.notInLog])
/// }
/// ```
///
/// Data for the steps is computed once, when the replay is created; after that, a step takes microseconds plus the
/// messages it shows. Traces may be corrupt: links to missing spans or messages are ignored.
public struct Replay: Sendable {
    public let trace: Trace
    let outline: SpanOutline
    let tree: MessageTree
    let order: CallOrder
    let ledger: ContextLedger
    /// The first calls after compactions, ascending.
    let compactions: [Int]
    private let stepIndex: Steps
    private let spanMessages: SpanMessages

    /// Arranges a trace. O(spans log spans + messages).
    public init(_ trace: Trace) {
        self.trace = trace
        tree = MessageTree(trace.messages)
        outline = SpanOutline(trace.spans, tree)
        stepIndex = Steps(outline)
        spanMessages = SpanMessages(trace.messages, spans: trace.spans.count)
        order = CallOrder(outline, tree, stepIndex, trace.messages, spanMessages)
        ledger = ContextLedger(trace, stepIndex, outline, tree, order)
        compactions = Self.compactions(of: trace, stepIndex, outline, read: ledger.compacted)
    }

    /// Ordinals of the spans that are steps, by start; ties by ordinal.
    public var steps: [Int] { stepIndex.spans }

    public var count: Int { stepIndex.spans.count }

    /// The span of a step.
    ///
    /// - Precondition: `0 <= step < count`.
    public subscript(step: Int) -> Span { trace.spans[stepIndex.spans[step]] }

    /// How many bytes of text one token stands for in this trace, all models together.
    public var density: TokenDensity { ledger.overall }

    /// Returns the step of a span, or else the first step inside it or after its start; `nil` if the trace has no such
    /// step.
    public func step(of span: Int) -> Int? {
        guard trace.spans.indices.contains(span) else { return nil }
        if let step = stepIndex.step(of: span) { return step }
        let after = stepIndex.first(from: outline.start[span], in: outline)
        return after < count ? after : nil
    }

    /// Returns the model call whose context a step belongs to: the step itself, or for a tool call, the model call that
    /// requested it.
    public func modelCall(at step: Int) -> Int? {
        guard order.call.indices.contains(step), order.call[step] >= 0 else { return nil }
        return Int(order.call[step])
    }

    /// The messages that came out of a span: a model call's answer, a tool call's results. O(its messages).
    ///
    /// If a format records a call's whole input, messages recorded by the call's span form its context.
    public func messages(of span: Int) -> [MessageEntry] {
        let own = spanMessages[span]
        guard let first = own.first else { return [] }
        var read: Set<Int32> = []
        if outline.kind[span] == .model {
            var message = outline.head[span]
            // Links lead to smaller ordinals, so messages before the span's first one are not part of it.
            while message >= first {
                read.insert(message)
                message = tree.previous[Int(message)]
            }
        }
        return own.lazy.filter { !read.contains($0) }.map { trace.messages[Int($0)] }
    }
}
