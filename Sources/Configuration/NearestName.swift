/// Suggestions for misspelled names.
package enum NearestName {
    /// Returns the remedy for an unknown name: the closest name, or the first eight available names.
    ///
    /// - Parameters:
    ///   - word: Name as typed.
    ///   - names: Available names.
    ///   - none: Remedy if there are no names.
    package static func remedy(_ word: String, among names: [String], none: String) -> String {
        if names.isEmpty { return none }
        return suggestion(for: word, among: names)
            ?? "Available: \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", ..." : ".")"
    }

    /// Returns `Did you mean "selection"?`; `nil` if no name is close.
    package static func suggestion(for word: String, among names: [String]) -> String? {
        to(word, among: names).map { question([$0]) }
    }

    /// Returns `Did you mean "k"?`, or `Did you mean "lexical.k", "dense.k", or "fusion.k"?` for several names.
    ///
    /// - Parameter names: Names to suggest; at least one.
    package static func question(_ names: [String]) -> String {
        let quoted = names.map { "\"\($0)\"" }
        guard quoted.count > 2 else { return "Did you mean \(quoted.joined(separator: " or "))?" }
        return "Did you mean \(quoted.dropLast().joined(separator: ", ")), or \(quoted[quoted.count - 1])?"
    }

    /// Returns `. Did you mean "selection"?`, to append to a sentence without its period; empty if no name is close.
    package static func hint(to word: String, among names: [String]) -> String {
        suggestion(for: word, among: names).map { ". \($0)" } ?? ""
    }

    /// Returns ` Did you mean "selection"?`, to append to a sentence with its period; empty if no name is close.
    package static func question(about word: String, among names: [String]) -> String {
        suggestion(for: word, among: names).map { " \($0)" } ?? ""
    }

    /// Returns the closest name: the first in alphabetical order that starts with the word, or else the name with the
    /// fewest edits.
    ///
    /// - Returns: `nil` if more than a third of the letters, and more than two, would have to change.
    package static func to(_ word: String, among names: [String]) -> String? {
        if let longer = names.filter({ $0.hasPrefix(word) && !word.isEmpty && !word.hasSuffix(".") }).min() {
            return longer
        }
        let near = names.map { (edits: edits($0, word), name: $0) }.min { $0 < $1 }
        guard let near, near.edits <= max(2, word.count / 3), near.edits < near.name.count else { return nil }
        return near.name
    }

    /// Returns the optimal string alignment distance: the number of insertions, deletions, substitutions, and swaps of
    /// adjacent letters that turn one word into the other, ignoring case.
    ///
    /// Only the first 64 characters of each word are compared.
    /// - Complexity: O(n m).
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
