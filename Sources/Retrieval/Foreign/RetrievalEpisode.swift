internal import LanguageModels
internal import Traces

/// The spans of a trace that belong to one retrieval: searches, rerankers, and the model call that read what they
/// found.
struct RetrievalEpisode {
    /// Searches by start.
    var searches: [Span]
    var rerankers: [Span]
    /// The first model call that began once all of them had ended.
    var reader: Span?

    /// The episode that a span belongs to: a search or reranker itself, what a model call read, or the first inside or
    /// after any other span; `nil` if the trace has no retrieval there.
    ///
    /// Searches belong together if they have the same parent span or nothing else between them.
    init?(of span: Int?, in trace: Trace) {
        let spans = trace.spans
        let found = spans.filter { $0.kind == .retrieval || $0.kind == .reranker }.sorted(by: Self.isEarlier)
        guard !found.isEmpty else { return nil }
        let focus = span.flatMap { spans.indices.contains($0) ? spans[$0] : nil }
        guard let first = Self.anchor(focus, found, spans) else { return nil }
        let group = found.filter { Self.belongs($0, with: first, spans) }
        searches = group.filter { $0.kind == .retrieval }
        rerankers = group.filter { $0.kind == .reranker }
        let end = group.compactMap { $0.end ?? $0.start }.max() ?? first.start
        reader = spans.filter { $0.kind == .model && $0.start >= end }.min(by: Self.isEarlier)
        if let focus, focus.kind == .model { reader = focus }
    }

    private static func isEarlier(_ one: Span, _ other: Span) -> Bool {
        (one.start, one.ordinal) < (other.start, other.ordinal)
    }

    private static func anchor(_ focus: Span?, _ found: [Span], _ spans: [Span]) -> Span? {
        guard let focus else { return found.first }
        if found.contains(where: { $0.ordinal == focus.ordinal }) { return focus }
        if focus.kind == .model {
            return found.last { ($0.end ?? $0.start) <= focus.start }
        }
        return found.first { isInside($0, focus.ordinal, spans) }
    }

    private static func isInside(_ span: Span, _ ancestor: Int, _ spans: [Span]) -> Bool {
        var parent = span.parent
        var steps = 0
        while let ordinal = parent, spans.indices.contains(ordinal), steps <= spans.count {
            if ordinal == ancestor { return true }
            parent = spans[ordinal].parent
            steps += 1
        }
        return false
    }

    /// Two spans of one retrieval have the same parent; a reranker may also hang on the parent's parent, as chains
    /// nest.
    private static func belongs(_ span: Span, with first: Span, _ spans: [Span]) -> Bool {
        if span.ordinal == first.ordinal { return true }
        if span.parent == first.parent { return first.parent != nil || span.kind != first.kind }
        func grandparent(_ span: Span) -> Int? {
            span.parent.flatMap { spans.indices.contains($0) ? spans[$0].parent : nil }
        }
        let isMixed = span.kind != first.kind
        return isMixed && (span.parent == grandparent(first) || grandparent(span) == first.parent) && span.parent != nil
    }
}
