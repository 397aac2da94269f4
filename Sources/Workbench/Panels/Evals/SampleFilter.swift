internal import Configuration
internal import Console
internal import EvalLogs
internal import Evals
internal import Traces

/// A filter of samples: `failed slice=easy judge<3 parser`.
struct SampleFilter: Hashable, Sendable {
    /// The typed text.
    private(set) var typed = ""
    private(set) var outcomes: Set<EvalRow.Outcome> = []
    private(set) var changes: Set<EvalChange> = []
    private(set) var slices: [Slice] = []
    /// Numbers of failure groups, starting at 1; samples of any of them are listed.
    private(set) var causes: [Int] = []
    /// Conditions on scores; a sample without the score meets none.
    private(set) var limits: [Limit] = []
    /// Words in lower case that the sample has in its ID, input, answer, target, or problem.
    private(set) var words: [String] = []
    /// Sentence about an invalid filter: no sample has the field, or a word is compared with a number.
    private(set) var problem: String?

    struct Slice: Hashable, Sendable {
        var name: String
        var value: String
        /// Whether the samples with this value are left out.
        var isExcluded = false
    }

    struct Limit: Hashable, Sendable {
        /// Index of the score in the run.
        var score: Int
        var comparison: QueryComparison
        var value: Float
    }

    init() {}

    /// - Parameters:
    ///   - names: Slices of the run.
    ///   - scores: Scores of the run.
    init(_ typed: String, slices names: [String], scores: [String] = []) {
        self.typed = typed.trimmed
        for (word, isQuoted) in Self.words(self.typed) {
            if isQuoted {
                words.append(word.lowercased())
                continue
            }
            if let (name, comparison, value) = Self.condition(word) {
                if problem == nil { problem = add(name, comparison, value, slices: names, scores: scores) }
                continue
            }
            let word = word.lowercased()
            if word == "changed" {
                changes.formUnion(Self.changes)
            } else if let outcome = word == "errors" ? .error : EvalRow.Outcome(rawValue: word) {
                outcomes.insert(outcome)
            } else if let change = Self.changes.first(where: { $0.word == word }) {
                changes.insert(change)
            } else {
                words.append(word)
            }
        }
    }

    /// Changes that are listed by their word.
    private static let changes: [EvalChange] = [.fixed, .broken, .worse, .better, .lost]

    /// Splits a text at spaces; text in double quotes is one word.
    private static func words(_ typed: String) -> [(text: String, isQuoted: Bool)] {
        var found: [(text: String, isQuoted: Bool)] = []
        var isValue = false
        for (place, part) in typed.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if place.isMultiple(of: 2) {
                found += part.split(separator: " ").map { (String($0), false) }
                isValue = part.last.map { signs.contains($0) } ?? false
            } else if isValue {
                found[found.count - 1].text += part
            } else if !part.isEmpty {
                found.append((String(part), true))
            }
        }
        return found
    }

    private static let signs = ":=!<>"

    /// Splits `judge<=3` into name, comparison, and value; `nil` for a word of text.
    private static func condition(_ word: String) -> (String, QueryComparison, String)? {
        guard let start = word.firstIndex(where: { signs.contains($0) }), start > word.startIndex else { return nil }
        let sign = word[start...].prefix { signs.contains($0) }
        return QueryComparison(sign: String(sign)).map { (String(word[..<start]), $0, String(word[sign.endIndex...])) }
    }

    /// Adds a condition.
    ///
    /// - Returns: The problem with the condition; `nil` if it is valid.
    private mutating func add(
        _ name: String, _ comparison: QueryComparison, _ value: String, slices names: [String],
        scores: [String]
    ) -> String? {
        if names.contains(name) {
            guard comparison == .equal || comparison == .unequal else {
                return "\(name) has text values: write \(name)=VALUE or \(name)!=VALUE."
            }
            slices.append(
                Slice(name: name, value: value.replacing("_", with: " "), isExcluded: comparison == .unequal))
            return nil
        }
        if let score = scores.firstIndex(of: name) {
            guard let number = Float(value), number.isFinite else {
                return "\(name) needs a number\(value.isEmpty ? "" : ", not \(value)"): write \(name)>=0.5."
            }
            limits.append(Limit(score: score, comparison: comparison, value: number))
            return nil
        }
        if name == Self.causeWord {
            guard comparison == .equal, let place = Int(value), place > 0 else {
                return "\(name) needs a group number. Example: \(name)=2."
            }
            causes.append(place)
            return nil
        }
        let fields = (names + scores + [Self.causeWord]).joined(separator: ", ")
        return "No sample has a field \(name). Fields: \(fields). Put text in double quotes to search for it."
    }

    /// Name of the condition on failure groups: `wrong=2`.
    static let causeWord = "wrong"

    var isEmpty: Bool { typed.isEmpty }

    /// Whether the texts of samples must be searched.
    var needsTexts: Bool { !words.isEmpty && problem == nil }

    /// Returns the completions of a line.
    static func candidates(_ typed: String, slices: [String], values: [[String]], scores: [String] = []) -> [String] {
        let head = typed.lastIndex(of: " ").map { String(typed[...$0]) } ?? ""
        let last = typed.dropFirst(head.count)
        let words =
            ["failed", "passed", "error", "scored", "unscored", "changed"] + changes.map(\.word)
            + zip(slices, values).flatMap { name, values in
                values.prefix(200).map { "\(name)=\($0.replacing(" ", with: "_"))" }
            }
        let limits = scores.flatMap { ["\($0)<", "\($0)>="] }
        return (words + limits).filter { $0.hasPrefix(last) }.map { head + $0 }
    }

    /// Returns the slices as positions in an index; `nil` if no sample can match.
    struct Resolved: Sendable {
        var outcomes: Set<UInt8>
        var changes: Set<EvalChange>
        var slices: [(slice: Int, codes: Set<UInt16>)]
        var limits: [Limit]
        /// Samples of the requested groups; `nil` if no group was requested.
        var group: Set<Int>?

        func matches(_ sample: Int, in index: SampleIndex, _ contrast: EvalContrast?) -> Bool {
            if !outcomes.isEmpty, !outcomes.contains(index.outcomes[sample]) { return false }
            if !changes.isEmpty, contrast?.isAmong(changes, sample) != true { return false }
            if let group, !group.contains(sample) { return false }
            return slices.allSatisfy { $0.codes.contains(index.codes[$0.slice][sample]) }
                && limits.allSatisfy { limit in
                    let score = index.scores[limit.score][sample]
                    return !score.isNaN && limit.comparison.holds(score, limit.value)
                }
        }
    }

    private func group(_ failures: FailureClusters?) -> Set<Int>? {
        guard !causes.isEmpty else { return nil }
        let clusters = failures?.clusters ?? []
        return Set(causes.filter { clusters.indices.contains($0 - 1) }.flatMap { clusters[$0 - 1].samples })
    }

    func resolved(in index: SampleIndex, slices names: [String], failures: FailureClusters?) -> Resolved {
        let slices = slices.compactMap { slice -> (slice: Int, codes: Set<UInt16>)? in
            guard let place = names.firstIndex(of: slice.name), index.words.indices.contains(place) else { return nil }
            // A typed `_` matches `_` and blank.
            let codes = index.words[place].indices.filter {
                (index.words[place][$0].replacing("_", with: " ") == slice.value) != slice.isExcluded
            }
            return (place, Set(codes.map { UInt16($0) }))
        }
        return Resolved(
            outcomes: Set(outcomes.map { UInt8(SampleIndex.code(of: $0)) }), changes: changes, slices: slices,
            limits: limits, group: group(failures))
    }

    /// Returns whether a sample's texts contain all words. O(bytes of the row).
    func matchesTexts(_ row: EvalRow) -> Bool {
        let texts = [row.id, row.input, row.answer, row.target, row.problem ?? ""].map { $0.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }
}
