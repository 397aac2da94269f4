internal import LanguageModels

/// The spans of a trace that are steps, in the order in which they began.
struct Steps: Sendable {
    /// Spans by start, ties by ordinal.
    let spans: [Int]
    /// Step number of each span; -1 for spans that are not steps.
    let step: [Int32]
    /// First step inside each span that is not a step; -1 for none.
    private var firstInside: [Int32]

    /// O(spans log spans); O(spans) if the spans are in order.
    init(_ outline: SpanOutline) {
        var spans: [Int] = []
        for span in 0..<outline.count where outline.kind[span] == .model || outline.kind[span] == .tool {
            spans.append(span)
        }
        let isInOrder = zip(spans, spans.dropFirst()).allSatisfy { outline.start[$0] <= outline.start[$1] }
        if !isInOrder {
            var keys = spans.map { Key(start: outline.start[$0], span: $0) }
            keys.sort()
            spans = keys.map(\.span)
        }
        var step = [Int32](repeating: -1, count: outline.count)
        for (place, span) in spans.enumerated() { step[span] = Int32(place) }
        var firstInside = [Int32](repeating: -1, count: outline.count)
        for (place, span) in spans.enumerated() {
            var around = outline.parent[span]
            // A span with a known first step has already updated its ancestors, so every span is visited once.
            while around >= 0, firstInside[Int(around)] < 0 {
                firstInside[Int(around)] = Int32(place)
                around = outline.parent[Int(around)]
            }
        }
        self.spans = spans
        self.step = step
        self.firstInside = firstInside
    }

    private struct Key: Comparable {
        var start: Int64
        var span: Int

        static func < (one: Key, other: Key) -> Bool {
            one.start != other.start ? one.start < other.start : one.span < other.span
        }
    }

    /// Returns the step of a span, or the first step inside it; `nil` if there is neither.
    func step(of span: Int) -> Int? {
        guard step.indices.contains(span) else { return nil }
        if step[span] >= 0 { return Int(step[span]) }
        return firstInside[span] >= 0 ? Int(firstInside[span]) : nil
    }

    /// Returns the first step that started at or after a moment; the number of steps if there is none. O(log steps).
    func first(from moment: Int64, in outline: SpanOutline) -> Int {
        var low = 0
        var high = spans.count
        while low < high {
            let middle = low + (high - low) / 2
            if outline.start[spans[middle]] < moment { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
