/// A match of a search.
public struct TextMatch: Hashable, Sendable {
    /// Index of the section.
    public var section: Int
    /// Range of bytes in the section.
    public var range: Range<Int>

    /// Creates a match.
    public init(section: Int = 0, range: Range<Int>) {
        self.section = section
        self.range = range
    }

    /// Start of the match.
    public var position: TextPosition { TextPosition(section: section, offset: range.lowerBound) }
}

/// A text search through sections, in steps of limited size so that it never delays a frame.
///
/// The search is case-sensitive if the query contains an uppercase letter. Matches do not overlap.
public struct TextSearch: Sendable {
    /// Text to search for.
    public let query: String
    /// Matches found so far, in order.
    public private(set) var matches: [TextMatch] = []
    /// Whether the search is finished or has reached the cap.
    public private(set) var isComplete = false
    /// Whether the search stopped at `cap` matches.
    public private(set) var isCapped = false
    /// Position up to which the text has been searched.
    public private(set) var reached = TextPosition(section: 0, offset: 0)
    private let needle: TextNeedle

    /// Maximum number of matches.
    public static let cap = 200_000

    /// Creates a search; an empty query is complete immediately.
    public init(_ query: String) {
        self.query = query
        needle = TextNeedle(query)
        isComplete = query.isEmpty
    }

    /// Searches about `budget` more bytes.
    ///
    /// - Complexity: O(`budget`).
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

    /// Returns the index of the first match found at or after a position.
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
