/// An index of highlighter states in a long text, built incrementally.
///
/// Text that the index has not reached is highlighted from a fresh state a little before it, as in editors. A jump to
/// the end of a large text is therefore immediate, and its colors become exact once the index gets there.
package struct HighlightIndex: Sendable {
    /// Distance between stored states, and between a fresh state and the visible text, in bytes.
    private static let spacing = 32_768
    private let highlighter: Highlighter
    private var anchors: [(offset: Int, state: HighlightState)] = []
    private var state: HighlightState
    /// Start of the first segment not yet indexed; `nil` if the index is complete.
    private var next: Int? = 0

    package init(_ language: Language) {
        highlighter = Highlighter(language)
        state = highlighter.initialState
        if language == .plain { next = nil }
    }

    package var isComplete: Bool { next == nil }

    /// Returns whether the index has reached an offset.
    package func covers(_ offset: Int) -> Bool { next.map { $0 >= offset } ?? true }

    /// Extends the index by about `budget` bytes.
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

    /// Returns a state from which highlighting can start, at or before the start of a segment.
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
