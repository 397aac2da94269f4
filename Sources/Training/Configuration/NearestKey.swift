/// The name that a person may have meant.
enum NearestKey {
    /// The nearest of `names`; nil where none is near.
    static func to(_ word: String, among names: [String]) -> String? {
        if !word.hasSuffix("."), let longer = names.filter({ $0.hasPrefix(word) }).min() { return longer }
        let near = names.map { (name: $0, distance: distance($0, word)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let near, near.distance <= max(2, word.count / 3) else { return nil }
        return near.name
    }

    /// How many letters must be added, left out, replaced or swapped with their neighbor, without regard to case
    /// (optimal string alignment). O(n m), looking at 64 letters of each.
    static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first.lowercased().prefix(64))
        let second = Array(second.lowercased().prefix(64))
        var before = [Int](repeating: 0, count: second.count + 1)
        var above = Array(0...second.count)
        for i in first.indices {
            var row = [i + 1]
            for j in second.indices {
                var best = min(row[j] + 1, above[j + 1] + 1, above[j] + (first[i] == second[j] ? 0 : 1))
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    best = min(best, before[j - 1] + 1)
                }
                row.append(best)
            }
            before = above
            above = row
        }
        return above[second.count]
    }
}
