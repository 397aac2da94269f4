/// A map from each byte of an extracted text to its source.
///
/// A list of runs. Inside a run, every `textStep` bytes of the text came from `sourceStep` bytes of the source: 1 and 1
/// if bytes were copied, 2 and 1 if Latin-1 became UTF-8, 1 and 5 if `&amp;` became `&`, 1 and 0 if a line
/// break was put in. A text that is its source has no runs.
public struct OffsetMap: Equatable, Sendable {
    public struct Run: Equatable, Sendable {
        /// First byte in the text, and in the source behind the map's base.
        public var text: UInt32
        public var source: UInt32
        public var textStep: UInt32
        public var sourceStep: UInt32
    }

    /// Start of the text in the source: after a byte-order mark or front matter, or at a record in its file.
    public var base: Int
    /// Runs by text offset; the first begins at 0. If there are no runs, the text is the source starting at `base`.
    public private(set) var runs: [Run]

    public init(base: Int = 0) {
        self.base = base
        runs = []
    }

    init(base: Int, runs: [Run]) {
        self.base = base
        self.runs = runs
    }

    /// Whether text and source are the same bytes.
    public var isIdentity: Bool { runs.isEmpty }

    /// Returns the source's bytes that a range of the text came from; what was put in has none. O(log runs).
    public func sourceRange(of range: Range<Int>) -> Range<Int> {
        guard !runs.isEmpty else { return base + range.lowerBound..<base + range.upperBound }
        let lower = sourceOffset(range.lowerBound)
        guard !range.isEmpty else { return lower..<lower }
        return lower..<max(lower, sourceEnd(range.upperBound))
    }

    /// Returns the source's byte for a byte of the text: the first of those that it came from.
    public func sourceOffset(_ offset: Int) -> Int {
        guard let run = run(of: offset) else { return base + offset }
        return base + Int(run.source) + (offset - Int(run.text)) / Int(run.textStep) * Int(run.sourceStep)
    }

    /// Behind the source's bytes that the byte before `offset` came from.
    private func sourceEnd(_ offset: Int) -> Int {
        guard let run = run(of: offset - 1) else { return base + offset }
        let steps = (offset - Int(run.text) + Int(run.textStep) - 1) / Int(run.textStep)
        return base + Int(run.source) + steps * Int(run.sourceStep)
    }

    private func run(of offset: Int) -> Run? {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if Int(runs[middle].text) <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? runs[low - 1] : nil
    }
}

extension OffsetMap {
    /// Builds a map while the text is written.
    struct Builder {
        private(set) var runs: [Run] = []

        /// Says that the text from `text` on comes from `source` on by these steps, until the next call.
        mutating func add(text: Int, source: Int, textStep: Int = 1, sourceStep: Int = 1) {
            if let last = runs.last, Int(last.textStep) == textStep, Int(last.sourceStep) == sourceStep,
                Int(last.source) + (text - Int(last.text)) / textStep * sourceStep == source
            {
                return
            }
            let run = Run(
                text: UInt32(clamping: text), source: UInt32(clamping: source), textStep: UInt32(clamping: textStep),
                sourceStep: UInt32(clamping: sourceStep))
            if let last = runs.last, last.text == run.text { runs.removeLast() }
            runs.append(run)
        }

        /// Returns the map, with no runs where text and source are the same.
        func map(base: Int) -> OffsetMap {
            if runs.isEmpty || (runs.count == 1 && runs[0].textStep == 1 && runs[0].sourceStep == 1) {
                return OffsetMap(base: base + Int(runs.first?.source ?? 0))
            }
            return OffsetMap(base: base, runs: runs)
        }
    }
}
