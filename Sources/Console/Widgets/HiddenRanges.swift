/// A sorted list of disjoint ranges of hidden nodes, for conversions between nodes and rows.
struct HiddenRanges: Hashable, Sendable {
    private struct Entry: Hashable {
        var start: Int32
        var end: Int32
        /// Number of nodes hidden by earlier ranges.
        var before: Int32
    }

    private var entries: [Entry] = []

    init(_ ranges: [Range<Int>] = []) {
        entries.reserveCapacity(ranges.count)
        var before: Int32 = 0
        for range in ranges {
            entries.append(
                Entry(start: Int32(range.lowerBound), end: Int32(range.upperBound), before: before))
            before += Int32(range.count)
        }
    }

    /// Number of hidden nodes.
    var total: Int { entries.last.map { Int($0.before + $0.end - $0.start) } ?? 0 }

    /// Returns the index of the first entry that satisfies a condition, which must also hold for all later entries.
    private func partition(_ condition: (Entry) -> Bool) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) >> 1
            if condition(entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func contains(_ node: Int) -> Bool {
        let index = partition { $0.start > node }
        return index > 0 && node < entries[index - 1].end
    }

    func node(atRow row: Int) -> Int {
        // A range comes before the row if at most `row` visible nodes precede the range.
        let index = partition { Int($0.start - $0.before) > row }
        guard index > 0 else { return row }
        let entry = entries[index - 1]
        return row + Int(entry.before + entry.end - entry.start)
    }

    /// Returns the row of a node, or of the closed node that hides it.
    func row(of node: Int) -> Int {
        let index = partition { $0.start > node }
        guard index > 0 else { return node }
        let entry = entries[index - 1]
        if node < entry.end { return Int(entry.start - entry.before) - 1 }
        return node - Int(entry.before + entry.end - entry.start)
    }

    /// Replaces the hidden ranges inside a range of nodes.
    ///
    /// - Complexity: O(n) in the number of ranges.
    mutating func replace(_ range: Range<Int>, with ranges: [Range<Int>]) {
        let first = partition { $0.start >= range.lowerBound }
        let last = partition { $0.start >= range.upperBound }
        var before = first < entries.count ? entries[first].before : Int32(total)
        let new = ranges.map { range in
            defer { before += Int32(range.count) }
            return Entry(start: Int32(range.lowerBound), end: Int32(range.upperBound), before: before)
        }
        let tail = first + new.count
        entries.replaceSubrange(first..<last, with: new)
        for index in tail..<max(tail, entries.count) {
            entries[index].before = before
            before += entries[index].end - entries[index].start
        }
    }
}
