/// A place where a search found its text.
public struct TextMatch: Hashable, Sendable {
    public var section: Int
    /// Bytes from the section's start.
    public var range: Range<Int>

    public init(section: Int = 0, range: Range<Int>) {
        self.section = section
        self.range = range
    }

    public var position: TextPosition { TextPosition(section: section, offset: range.lowerBound) }
}

/// A plain search through sections, a bounded slice at a time, so that no frame waits for it.
///
/// Case counts where the query has an upper-case letter, and not otherwise. Matches do not overlap.
public struct TextSearch: Sendable {
    public let query: String
    /// What is found so far, in order.
    public private(set) var matches: [TextMatch] = []
    /// Whether everything has been looked through, or the cap was reached.
    public private(set) var isComplete = false
    /// Whether the search ended at `cap` matches.
    public private(set) var isCapped = false
    /// Everything before this place has been looked through.
    public private(set) var reached = TextPosition(section: 0, offset: 0)
    private let needle: TextNeedle

    /// More matches than this are not kept.
    public static let cap = 200_000

    public init(_ query: String) {
        self.query = query
        needle = TextNeedle(query)
        isComplete = query.isEmpty
    }

    /// Looks on through about `budget` bytes. O(budget).
    public mutating func advance(over sections: [TextSection], budget: Int) {
        var left = budget
        while !isComplete, left > 0 {
            guard reached.section < sections.count else {
                isComplete = true
                return
            }
            let document = sections[reached.section].document
            let goal = min(document.count, reached.offset + left)
            left -= goal - reached.offset + 1
            document.withBytes { scan($0, to: goal) }
            if reached.offset >= document.count {
                reached = TextPosition(section: reached.section + 1, offset: 0)
                isComplete = isComplete || reached.section >= sections.count
            }
        }
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, to goal: Int) {
        while let range = needle.first(in: bytes, from: reached.offset, startingBefore: goal) {
            matches.append(TextMatch(section: reached.section, range: range))
            reached.offset = range.upperBound
            if matches.count >= Self.cap {
                isCapped = true
                isComplete = true
                return
            }
        }
        reached.offset = max(reached.offset, goal)
    }

    /// The index of the first match at or after a place, among those found.
    public func index(from position: TextPosition) -> Int? {
        var low = 0
        var high = matches.count
        while low < high {
            let middle = (low + high) / 2
            if matches[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low < matches.count ? low : nil
    }
}
