/// Matches that a running search will select once it finds them.
package enum PendingMatch: Hashable, Sendable {
    /// The first match at or after a position, or the first match of the text if there is none.
    case from(TextPosition)
    /// The match after the last one found so far.
    case next
    /// The last match of the text.
    case last
}

extension TextView {
    /// State of the search, for a title: `3 of 17`, or `3 of 17…` while the search is running.
    public var searchStatus: String? {
        guard let search, !search.query.isEmpty else { return nil }
        let more = search.isCapped ? "+" : search.isComplete ? "" : "…"
        if search.matches.isEmpty { return search.isComplete ? "no match" : "searching…" }
        guard let currentMatch else { return "\(search.matches.count)\(more)" }
        return "\(currentMatch + 1) of \(search.matches.count)\(more)"
    }

    /// Whether ``advance(budget:)`` has work to do.
    public var needsAdvance: Bool {
        search.map { !$0.isComplete } ?? false || !lines.isComplete && !sections.isEmpty || highlightGoal != nil
    }

    /// Continues the search, the line index, and the highlighting of visible text, and returns whether work remains.
    ///
    /// - Parameter budget: Approximate number of bytes to search. The line index gets four times as many bytes, and
    ///   highlighting half as many. One MiB takes about 2 ms.
    @discardableResult
    public mutating func advance(budget: Int = 1 << 20) -> Bool {
        search?.advance(over: sections, budget: budget)
        selectPending()
        if let first = sections.first { lines.advance(over: first.document, budget: 4 * budget) }
        if let goal = highlightGoal {
            highlights[goal].advance(over: sections[goal].document, budget: budget / 2)
        }
        return needsAdvance
    }

    /// The section at the top if its highlighting is not exact yet.
    private var highlightGoal: Int? {
        guard top.section < sections.count, !highlights[top.section].covers(top.offset) else { return nil }
        return top.section
    }

    /// Searches for text and selects the first match at or after `anchor`, or else the first match of the text.
    ///
    /// The search box calls this after every key, with the position at which the box was opened. An empty query ends
    /// the search.
    public mutating func find(_ query: String, from anchor: TextPosition? = nil) {
        currentMatch = nil
        guard !query.isEmpty else {
            search = nil
            pendingMatch = nil
            return
        }
        search = TextSearch(query)
        pendingMatch = .from(anchor ?? top)
        search?.advance(over: sections, budget: 1 << 19)
        selectPending()
    }

    /// Selects the next match; after the last match, the first one.
    public mutating func findNext() {
        guard let search, !search.matches.isEmpty else { return }
        guard let current = currentMatch else { return select(search.index(from: top) ?? 0) }
        if current + 1 < search.matches.count {
            select(current + 1)
        } else if search.isComplete {
            select(0)
        } else {
            pendingMatch = .next
            advance()
        }
    }

    /// Selects the previous match; before the first match, the last one.
    public mutating func findPrevious() {
        guard let search, !search.matches.isEmpty else { return }
        let current = currentMatch ?? search.index(from: top) ?? search.matches.count
        if current > 0 {
            select(current - 1)
        } else if search.isComplete {
            select(search.matches.count - 1)
        } else {
            pendingMatch = .last
            advance()
        }
    }

    /// Selected match; `nil` if no match is selected.
    public var selectedMatch: TextMatch? { currentMatch.flatMap { search?.matches[$0] } }

    private mutating func select(_ index: Int) {
        currentMatch = index
        pendingMatch = nil
        if let match = selectedMatch { reveal(match.position) }
    }

    private mutating func selectPending() {
        guard let search, let pendingMatch else { return }
        switch pendingMatch {
        case .from(let anchor):
            if let index = search.index(from: anchor) {
                select(index)
            } else if search.isComplete {
                search.matches.isEmpty ? self.pendingMatch = nil : select(0)
            }
        case .next:
            let index = (currentMatch ?? -1) + 1
            if index < search.matches.count {
                select(index)
            } else if search.isComplete {
                select(0)
            }
        case .last:
            if search.isComplete { select(search.matches.count - 1) }
        }
    }
}
