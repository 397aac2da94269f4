/// The name that a person may have meant.
package enum NearestName {
    /// What to do about a name that nothing has: the nearest, or what there is.
    package static func remedy(_ word: String, among names: [String], none: String) -> String {
        if names.isEmpty { return none }
        if let near = to(word, among: names) { return "Did you mean \(near)?" }
        let some = names.prefix(8).joined(separator: ", ")
        return names.count == 1 ? "There is \(some)." : "There are \(some)\(names.count > 8 ? ", ..." : "")."
    }

    /// `; did you mean selection?`, or nothing where no name is near.
    package static func hint(to word: String, among names: [String]) -> String {
        to(word, among: names).map { "; did you mean \($0)?" } ?? ""
    }

    /// ` Did you mean "selection"?` after a full stop, or nothing if no name is near.
    package static func question(about word: String, among names: [String]) -> String {
        to(word, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
    }

    /// The nearest of `names`: the first that goes on from the word, else the one with the fewest edits; nil where a third of
    /// the letters, and more than two, would have to change.
    package static func to(_ word: String, among names: [String]) -> String? {
        if let longer = names.filter({ $0.hasPrefix(word) && !word.isEmpty && !word.hasSuffix(".") }).min() {
            return longer
        }
        let near = names.map { (edits: edits($0, word), name: $0) }.min { $0 < $1 }
        guard let near, near.edits <= max(2, word.count / 3), near.edits < near.name.count else { return nil }
        return near.name
    }

    /// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other, without regard to case
    /// (optimal string alignment). O(n m), looking at 64 letters of each.
    package static func edits(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.lowercased().prefix(64)), Array(other.lowercased().prefix(64)))
        var before: [Int] = []
        var last = Array(0...other.count)
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                var best = min(last[j] + (one[i] == other[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[other.count]
    }
}
