internal import Tokenizers

/// A regular expression for searching answers, limited in text and steps: whether a search is given up depends only on
/// the expression and the answer, not on other samples or the machine's load.
struct AnswerPattern: Sendable {
    /// Results of a search.
    enum Result: Equatable, Sendable {
        /// The requested group of every match, in order; empty for a group without a match.
        case found([String])
        case tooSlow
    }

    /// Maximum characters of a text to search.
    static let longest = 100_000
    private let pattern: TextPattern

    /// Creates a pattern; `nil` if the expression is invalid.
    ///
    /// - Parameter whole: Whether it must match the whole text.
    init?(_ source: String, ignoresCase: Bool = false, whole: Bool = false) {
        // Compile it alone first: the group around it must not repair its mistakes.
        guard let alone = TextPattern(source, ignoresCase: ignoresCase) else { return nil }
        if whole {
            guard let pattern = TextPattern("^(?:\(source))$", ignoresCase: ignoresCase) else { return nil }
            self.pattern = pattern
        } else {
            pattern = alone
        }
    }

    /// Finds groups of all matches, in order.
    ///
    /// - Parameter group: 0 for the whole match; `nil` for the first group that is not empty, or the match if there is
    ///   none.
    func find(in text: String, group: Int?) -> Result {
        let text = text.utf8.count > Self.longest ? String(text.prefix(Self.longest)) : text
        guard let matches = try? pattern.search(text) else { return .tooSlow }
        return .found(
            matches.map { match in
                let whole = String(text[match.range])
                guard let group else { return match.groups.lazy.compactMap { $0 }.first { !$0.isEmpty } ?? whole }
                if group == 0 { return whole }
                return match.groups.indices.contains(group - 1) ? match.groups[group - 1] ?? "" : ""
            })
    }
}
