/// The states of a highlighter through a long text, found a slice at a time.
///
/// Until the index reaches a place, the place is colored from a fresh state a little before it, as editors do; so a
/// jump to the end of a large text is answered at once, and is exact as soon as the index got there.
package struct HighlightIndex: Sendable {
    /// The distance of kept states, and how far back a fresh one begins, in bytes.
    private static let spacing = 32_768
    private let highlighter: Highlighter
    private var anchors: [(offset: Int, state: HighlightState)] = []
    private var state: HighlightState
    /// The start of the first segment that is not lexed; nil when all are.
    private var next: Int? = 0

    package init(_ language: Language) {
        highlighter = Highlighter(language)
        state = highlighter.initialState
        if language == .plain { next = nil }
    }

    package var isComplete: Bool { next == nil }

    /// Whether the states before an offset are known.
    package func covers(_ offset: Int) -> Bool { next.map { $0 >= offset } ?? true }

    /// Lexes on for about `budget` bytes.
    package mutating func advance(over document: TextDocument, budget: Int) {
        document.withBytes { bytes in
            var runs = HighlightRuns()
            let goal = (next ?? 0) + budget
            while let start = next, start < goal {
                if start >= (anchors.last?.offset ?? 0) + Self.spacing { anchors.append((start, state)) }
                let segment = document.segment(from: start, in: bytes)
                runs.reset(from: start)
                highlighter.highlight(bytes, segment, state: &state, into: &runs)
                next = segment.next
            }
        }
    }

    /// A state to color from, at or before the start of a segment.
    package func start(
        before segment: Int, in document: TextDocument, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (offset: Int, state: HighlightState) {
        var low = 0
        var high = anchors.count
        while low < high {
            let middle = (low + high) / 2
            if anchors[middle].offset <= segment { low = middle + 1 } else { high = middle }
        }
        let anchor = low > 0 ? anchors[low - 1] : (0, highlighter.initialState)
        if segment - anchor.0 <= 3 * Self.spacing { return anchor }
        return (document.segment(at: segment - Self.spacing, in: bytes).start, highlighter.initialState)
    }
}
