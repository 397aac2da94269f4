/// Reports the progress of a training, and tells it whether it was canceled.
public struct TrainingMonitor: Sendable {
    /// What a training is at.
    public enum Stage: Sendable, CaseIterable {
        /// Words are counted; the total is not known.
        case counting
        /// Pairs are merged, up to the size of the vocabulary.
        case merging
        /// Candidates are collected from all substrings.
        case seeding
        /// Pieces are weighted and the least useful ones dropped, down to the size of the vocabulary.
        case pruning

        public var name: String {
            switch self {
            case .counting: "counting words"
            case .merging: "merging pairs"
            case .seeding: "collecting pieces"
            case .pruning: "dropping pieces"
            }
        }
    }

    /// Called at most a few hundred times with the completed amount and the total, which is 0 if unknown.
    public var report: @Sendable (Stage, _ done: Int, _ total: Int) -> Void
    /// Asked as often; training ends with an error where it says true.
    public var isCancelled: @Sendable () -> Bool

    public init(
        report: @escaping @Sendable (Stage, _ done: Int, _ total: Int) -> Void = { _, _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.report = report
        self.isCancelled = isCancelled
    }

    func check(_ stage: Stage, _ done: Int, _ total: Int) throws(TrainingError) {
        if isCancelled() { throw .cancelled }
        report(stage, done, total)
    }
}

/// Why a vocabulary could not be trained.
public enum TrainingError: Error, Hashable, Sendable {
    case cancelled
    /// The vocabulary is too small for the characters of the text and the special tokens.
    case vocabularyTooSmall(wanted: Int, needed: Int)
    /// There is nothing to learn from.
    case noText
    /// A token is special twice, or empty.
    case badSpecialToken(String)
    /// More text than positions of 32 bits can count.
    case tooMuchText

    public var sentence: String {
        switch self {
        case .cancelled: "The training was canceled."
        case .vocabularyTooSmall(let wanted, let needed):
            "A vocabulary of \(wanted) is too small: characters and special tokens alone need \(needed)."
        case .noText: "The training text is empty."
        case .badSpecialToken(let token): "The special token \"\(token)\" is empty or a duplicate."
        case .tooMuchText: "The text is too large. Train on a sample."
        }
    }
}

extension TrainingError: CustomStringConvertible {
    public var description: String { sentence }
}
