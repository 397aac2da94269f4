internal import System
internal import Traces

/// A judge of which of two answers is better, asked in both orders.
public struct PairwiseJudge: Sendable {
    /// Verdicts on two answers in the order in which the judge read them.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        case first, second, tie

        /// The verdict in the other order.
        public var turned: Verdict {
            switch self {
            case .first: .second
            case .second: .first
            case .tie: .tie
            }
        }
    }

    /// The comparison of two answers.
    public struct Comparison: Hashable, Sendable {
        /// Verdict in the order A, B; `nil` if the reply could not be read.
        public var forward: Verdict?
        /// Verdict in the order B, A, in terms of that order.
        public var backward: Verdict?
        /// Number of characters in the answers.
        public var lengthA: Int
        public var lengthB: Int
        /// The judge's reason, or why the reply could not be read.
        public var explanation: String?

        public init(
            forward: Verdict?, backward: Verdict?, lengthA: Int = 0, lengthB: Int = 0, explanation: String? = nil
        ) {
            self.forward = forward
            self.backward = backward
            self.lengthA = lengthA
            self.lengthB = lengthB
            self.explanation = explanation
        }

        /// `.first` if A won in both orders, `.second` if B did, otherwise a tie; `nil` if a reply could not be read.
        public var outcome: Verdict? {
            guard let forward, let backward else { return nil }
            return forward == backward.turned ? forward : .tie
        }

        /// Whether the two orders gave different verdicts; `nil` if a reply could not be read.
        public var isFlipped: Bool? {
            guard let forward, let backward else { return nil }
            return forward != backward.turned
        }
    }

    /// Criteria for the better answer.
    public var criteria: String

    public init(criteria: String = "Prefer the answer that is more helpful, correct and to the point.") {
        self.criteria = criteria
    }

    /// Compares two answers in both orders.
    public func compare(question: String, _ a: String, _ b: String, in room: ScoringRoom) -> Comparison {
        var words: [String] = []
        func ask(_ first: String, _ second: String) -> Verdict? {
            let prompt = JudgePrompt(
                "pairwise",
                task: "Which of the two answers to the question is better? \(criteria) Neither order nor length of the "
                    + "answers must influence you. Say tie where they are equally good.",
                material: [("question", question), ("first", first), ("second", second)],
                form: "\"reason\": \"...\", \"verdict\": \"first\", \"second\" or \"tie\"", seed: room.seed)
            do throws(Problem) {
                let (word, reason) = try room.ask(prompt).word("verdict", of: Verdict.allCases.map(\.rawValue))
                words.append(prompt.details("\(word)" + (reason.map { ": " + $0 } ?? "")))
                return Verdict(rawValue: word)
            } catch {
                words.append(error.what)
                return nil
            }
        }
        let forward = ask(a, b)
        let backward = ask(b, a)
        return Comparison(
            forward: forward, backward: backward, lengthA: a.unicodeScalars.count, lengthB: b.unicodeScalars.count,
            explanation: words.joined(separator: "\n"))
    }
}
