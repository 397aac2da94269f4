public import LanguageModels

/// What is in traces, by number: what lists show of a trace and what an import reports of all it read.
public struct TraceTotals: Hashable, Sendable {
    public var traces = 0
    public var spans = 0
    public var modelCalls = 0
    public var toolCalls = 0
    public var agents = 0
    public var messages = 0
    public var events = 0
    /// Failed spans.
    public var errors = 0
    /// Of model calls and embeddings: what agents report repeats that of the calls they made.
    public var usage = Usage()
    /// US dollars of calls with a known price; `nil` if there are none.
    public var cost: Double?
    /// Model calls that used tokens and whose price is not known.
    public var unpriced = 0

    public init() {}

    /// Counts one trace. O(spans + messages).
    public init(of trace: Trace) {
        traces = 1
        spans = trace.spans.count
        events = trace.events.count
        messages = TraceFormats.named(trace.summary.format)?.messageCount(of: trace) ?? trace.messages.count
        for span in trace.spans {
            if span.status == .error { errors += 1 }
            switch span.kind {
            case .model:
                modelCalls += 1
                count(span)
                if span.cost == nil, (span.usage?.total ?? 1) > 0 { unpriced += 1 }
            case .embedding: count(span)
            case .tool: toolCalls += 1
            case .agent: agents += 1
            default: break
            }
        }
    }

    private mutating func count(_ call: Span) {
        if let used = call.usage { usage += used }
        if let price = call.cost { cost = (cost ?? 0) + price }
    }

    public static func += (total: inout TraceTotals, one: TraceTotals) {
        total.traces += one.traces
        total.spans += one.spans
        total.modelCalls += one.modelCalls
        total.toolCalls += one.toolCalls
        total.agents += one.agents
        total.messages += one.messages
        total.events += one.events
        total.errors += one.errors
        total.usage += one.usage
        if let cost = one.cost { total.cost = (total.cost ?? 0) + cost }
        total.unpriced += one.unpriced
    }
}

extension TraceSummary {
    /// Takes over the totals of a trace, its first start, its last end, and the model that most calls went to.
    ///
    /// Adds a trace. Times of 0 are unknown and count only if no other time is known.
    public mutating func tally(_ trace: Trace) {
        let totals = TraceTotals(of: trace)
        spans = totals.spans
        modelCalls = totals.modelCalls
        toolCalls = totals.toolCalls
        messages = totals.messages
        events = totals.events
        errors = totals.errors
        usage = totals.usage
        cost = totals.cost
        unpriced = totals.unpriced
        var calls: [String: Int] = [:]
        var first = Int64.max
        var last: Int64 = 0
        for span in trace.spans {
            if span.start > 0 { first = min(first, span.start) }
            last = max(last, span.start, span.end ?? 0)
            if span.kind == .model, let model = span.model { calls[model, default: 0] += 1 }
        }
        start = first == .max ? 0 : first
        end = max(last, start)
        // Of models with as many calls, the first by name: the same one every time.
        model = calls.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    }
}
