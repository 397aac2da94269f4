/// The visible range of a head's queries and keys; all of them without bounds.
package struct HeadWindow: Hashable, Sendable {
    package init() {}

    /// Number of queries and keys; `nil` for all.
    private(set) var length: Int?
    private(set) var firstQuery = 0
    private(set) var firstKey = 0

    static let least = 8

    package var isWhole: Bool { length == nil }
    var isLeast: Bool { length == Self.least }

    package func queries(of count: Int) -> Range<Int> { range(firstQuery, count) }
    package func keys(of count: Int) -> Range<Int> { range(firstKey, count) }

    private func range(_ first: Int, _ count: Int) -> Range<Int> {
        guard let length, length < count else { return 0..<max(0, count) }
        let start = max(0, min(first, count - length))
        return start..<start + length
    }

    /// Halves the range around a position.
    mutating func zoomIn(query: Int, key: Int, of count: Int) {
        let wanted = max(Self.least, (min(length ?? count, count) + 1) / 2)
        guard wanted < count else { return }
        length = wanted
        center(query: query, key: key, of: count)
    }

    /// Doubles the range, up to all tokens.
    mutating func zoomOut(query: Int, key: Int, of count: Int) {
        guard let length else { return }
        self.length = length * 2 < count ? length * 2 : nil
        center(query: query, key: key, of: count)
    }

    mutating func showAll() { self = HeadWindow() }

    /// Moves the range just enough to show a position.
    mutating func reveal(query: Int, key: Int, of count: Int) {
        guard let length else { return }
        func revealed(_ first: Int, _ place: Int) -> Int {
            let first = max(0, min(first, count - length))
            return place < first ? place : place >= first + length ? place - length + 1 : first
        }
        firstQuery = revealed(firstQuery, query)
        firstKey = revealed(firstKey, key)
    }

    private mutating func center(query: Int, key: Int, of count: Int) {
        guard let length else { return }
        firstQuery = max(0, min(query - length / 2, count - length))
        firstKey = max(0, min(key - length / 2, count - length))
    }
}
