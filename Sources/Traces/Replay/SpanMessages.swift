/// Messages by the span that produced or first recorded them.
struct SpanMessages: Sendable {
    /// Those of span `k` are `messages[first[k]..<first[k + 1]]`.
    private var first: [Int32]
    private var messages: [Int32]

    /// Two passes, counting and placing. O(spans + messages).
    init(_ entries: [MessageEntry], spans: Int) {
        let span = entries.indices.map { message -> Int32 in
            guard let span = entries[message].span, span >= 0, span < spans else { return -1 }
            return Int32(span)
        }
        first = [Int32](repeating: 0, count: spans + 1)
        for span in span where span >= 0 { first[Int(span) + 1] += 1 }
        for span in 0..<spans { first[span + 1] += first[span] }
        var place = first
        messages = [Int32](repeating: 0, count: Int(first[spans]))
        for (message, span) in span.enumerated() where span >= 0 {
            messages[Int(place[Int(span)])] = Int32(message)
            place[Int(span)] += 1
        }
    }

    /// The messages of a span, by ordinal.
    subscript(span: Int) -> ArraySlice<Int32> {
        guard span >= 0, span + 1 < first.count else { return [] }
        return messages[Int(first[span])..<Int(first[span + 1])]
    }
}
