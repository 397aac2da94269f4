import LanguageModels

/// Traces in the making: what importers write to and the workspace stores when a source is done.
///
/// A source may hold several traces, and a trace may be spread over several sources: sources that belong together are
/// read into one assembly. What the workspace already has of a trace is loaded when it is first met, so that nothing
/// is counted twice.
public struct TraceAssembly {
    public internal(set) var traces: [Trace] = []
    /// What calls are priced by.
    public let prices: PriceTable
    private var traceByID: [String: Int] = [:]
    private let format: String
    private let stored: (String) -> Trace?
    /// Children whose parents had not been met when their source ended.
    package var deferredParents: [DeferredParent] = []

    /// - Parameters:
    ///   - prices: What calls are priced by.
    ///   - stored: What the workspace already has of a trace, by its external id.
    public init(format: String, prices: PriceTable = .builtIn, stored: @escaping (String) -> Trace? = { _ in nil }) {
        self.format = format
        self.prices = prices
        self.stored = stored
    }

    /// The place of a trace in `traces`, begun if it is new.
    public mutating func trace(_ externalID: String) -> Int {
        if let known = existingTrace(externalID) { return known }
        return add(Trace(summary: TraceSummary(externalID: externalID, format: format)), as: externalID)
    }

    /// The place of a trace that this assembly or the workspace has; `nil` if neither does.
    public mutating func existingTrace(_ externalID: String) -> Int? {
        if let known = traceByID[externalID] { return known }
        return stored(externalID).map { add($0, as: externalID) }
    }

    private mutating func add(_ trace: Trace, as externalID: String) -> Int {
        traceByID[externalID] = traces.count
        traces.append(trace)
        return traces.count - 1
    }

    /// Adds a span and returns its ordinal; the span's own `ordinal` is set.
    public mutating func append(_ span: consuming Span, to trace: Int) -> Int {
        let ordinal = traces[trace].spans.count
        span.ordinal = ordinal
        traces[trace].spans.append(span)
        return ordinal
    }

    /// Adds a message and returns its ordinal. A link to a message that is not earlier is dropped, so that following
    /// `previous` always ends.
    public mutating func append(_ message: consuming MessageEntry, to trace: Int) -> Int {
        let ordinal = traces[trace].messages.count
        message.ordinal = ordinal
        if let previous = message.previous, previous >= ordinal || previous < 0 { message.previous = nil }
        traces[trace].messages.append(message)
        return ordinal
    }

    @discardableResult
    public mutating func append(_ event: consuming TraceEvent, to trace: Int) -> Int {
        let ordinal = traces[trace].events.count
        event.ordinal = ordinal
        traces[trace].events.append(event)
        return ordinal
    }

    /// Changes a span in place.
    public mutating func update<Result>(span: Int, of trace: Int, _ change: (inout Span) -> Result) -> Result {
        change(&traces[trace].spans[span])
    }

    public mutating func update<Result>(message: Int, of trace: Int, _ change: (inout MessageEntry) -> Result)
        -> Result
    {
        change(&traces[trace].messages[message])
    }

    /// Changes what the list shows of a trace; totals are computed when it is stored.
    public mutating func describe(_ trace: Int, _ change: (inout TraceSummary) -> Void) {
        change(&traces[trace].summary)
    }

    /// Cuts circles of parents, which only damaged files have, at their first span. O(spans).
    package mutating func breakCircles(in trace: Int) {
        // 0: not seen; otherwise the walk that came by.
        var walks = [Int](repeating: 0, count: traces[trace].spans.count)
        for start in walks.indices where walks[start] == 0 {
            let walk = start + 1
            var place = start
            while walks[place] == 0 {
                walks[place] = walk
                guard let parent = traces[trace].spans[place].parent else { break }
                if walks[parent] == walk {
                    traces[trace].spans[parent].parent = nil
                    break
                }
                place = parent
            }
        }
    }
}

/// A child that waits for its parent, both by digest of their identifiers.
package struct DeferredParent: Hashable, Sendable {
    package var trace: Int
    package var child: UInt64
    package var parent: UInt64
}
