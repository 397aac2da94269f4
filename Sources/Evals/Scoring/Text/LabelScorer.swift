public import EvalLogs
internal import JSON
internal import LanguageModels
public import System
internal import Traces

/// Maps the answer to a class and compares it with the target's class.
///
/// A class matches by its name or an alias as whole words, ignoring case; an answer that equals one exactly takes
/// precedence. If several classes match, the first or the last counts. If none matches, the answer is unparsable: it
/// has the label `[none]`, the value 0, and counts as wrong.
public struct LabelScorer: Scorer {
    public static let kind = ScorerKind(
        "label", "1 if the answer names the target's class",
        settings: [
            ScorerSetting("labels", "the classes (default: the sample's choices or targets)", standard: .null),
            ScorerSetting("aliases", "other words for classes, as a table from word to class", standard: .null),
            ScorerSetting("take", "which named class counts: first or last", standard: .string("first")),
        ], needsTargets: true)
    /// Class of answers that name none.
    public static let none = "[none]"
    private let labels: [String]?
    private let aliases: [(words: [String], label: String)]
    private let takesLast: Bool

    public init(_ settings: ScorerSettings) throws(Problem) {
        labels = try settings.strings("labels")
        var aliases: [(words: [String], label: String)] = []
        if let table = settings["aliases"], table != .null {
            guard let members = table.members else { throw settings.error("\"aliases\" must be a table") }
            for member in members {
                guard let label = member.value.plainText else { throw settings.error("each alias must name a class") }
                aliases.append((Self.words(member.key), label))
            }
        }
        self.aliases = aliases
        takesLast = try settings.word("take", "first", of: ["first", "last"]) == "last"
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("label")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let right = sample.rightChoice.flatMap { sample.choices.indices.contains($0) ? sample.choices[$0] : nil }
        guard let target = right ?? sample.targets.first else {
            return [EvalScore("label", value: nil, problem: "the sample has no target")]
        }
        let names = labels ?? (sample.choices.isEmpty ? sample.targets : sample.choices)
        guard let label = label(of: solution.answer, names) else {
            return [
                EvalScore(
                    "label", value: 0, label: Self.none, answer: solution.answer,
                    explanation: "the answer names none of \(names.joined(separator: ", "))")
            ]
        }
        let goal = self.label(of: target, names) ?? target
        return [
            EvalScore(
                "label", value: label == goal ? 1 : 0, label: label == goal ? target : label, answer: solution.answer,
                confidence: Self.confidence(solution))
        ]
    }

    private func label(of text: String, _ names: [String]) -> String? {
        let words = Self.words(text)
        let all = names.map { (words: Self.words($0), label: $0) } + aliases
        if let exact = all.first(where: { $0.words == words && !words.isEmpty }) { return exact.label }
        var best: (place: Int, length: Int, label: String)?
        for one in all where !one.words.isEmpty && one.words.count <= words.count {
            let places = (0...(words.count - one.words.count)).filter {
                words[$0..<$0 + one.words.count].elementsEqual(one.words)
            }
            guard let place = takesLast ? places.last : places.first else { continue }
            // Of two labels that begin at one position, the longer wins: "not spam" is not "not".
            let isBetter =
                best.map {
                    place == $0.place
                        ? one.words.count > $0.length : takesLast ? place > $0.place : place < $0.place
                } ?? true
            if isBetter { best = (place, one.words.count, one.label) }
        }
        return best?.label
    }

    private static func words(_ text: String) -> [String] {
        text.prefix(100_000).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Returns the probability of the answer's first token with letters, if the provider reported it.
    private static func confidence(_ solution: Solution) -> Double? {
        for case .model(let call) in solution.steps.reversed() where call.purpose == nil {
            let token = call.answered.first { $0.text.contains { $0.isLetter || $0.isNumber } }
            guard let value = token?.logProbability, value <= 0 else { return nil }
            return exponential(value)
        }
        return nil
    }
}
