/// The name that a person may have meant.
enum NearestName {
    /// What to do about a name that nothing has: the nearest, or what there is.
    static func remedy(_ word: String, among names: [String], none: String) -> String {
        if names.isEmpty { return none }
        if let near = to(word, among: names) { return "Did you mean \(near)?" }
        let some = names.prefix(8).joined(separator: ", ")
        return names.count == 1 ? "There is \(some)." : "There are \(some)\(names.count > 8 ? ", ..." : "")."
    }

    /// The nearest of `names` by edits; nil where none is near.
    static func to(_ word: String, among names: [String]) -> String? {
        if let longer = names.filter({ $0.hasPrefix(word) && !word.isEmpty && !word.hasSuffix(".") }).min() {
            return longer
        }
        let wanted = Array(word.lowercased().prefix(64))
        let near = names.map { (edits: edits(Array($0.lowercased().prefix(64)), wanted), name: $0) }.min { $0 < $1 }
        guard let near, near.edits <= max(2, word.count / 3) else { return nil }
        return near.name
    }

    /// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other. O(n m).
    private static func edits(_ one: [Character], _ other: [Character]) -> Int {
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
