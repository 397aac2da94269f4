public import EvalLogs
internal import LanguageModels

/// The cause of a failed sample, derived from its record alone, without a judge.
public enum FailureCause: Hashable, Sendable {
    /// The request failed: the error message without its numbers.
    case error(String)
    /// The answer has no score: the judge's reply was unreadable, or the scorer failed.
    case unscored(String)
    /// The answer is empty or has only whitespace.
    case emptyAnswer
    /// The answer was cut off at the token limit in the last model call.
    case cutOff
    /// The model refused to answer.
    case refusal
    /// A tool returned an error.
    case toolError(String)
    /// The search found no target.
    case notFound
    /// The scorer found nothing in the answer to compare.
    case wrongForm
    /// The answer contains a target among too much other text.
    case buriedTarget
    /// The answer differs from a target by a few letters.
    case nearMiss
    /// Any other wrong answer.
    case wrong

    /// Title in a few words.
    public var title: String {
        switch self {
        case .error(let sentence): "error: \(sentence)"
        case .unscored(let sentence): "not scored: \(sentence)"
        case .emptyAnswer: "empty answer"
        case .cutOff: "cut off at the token limit"
        case .refusal: "refusal"
        case .toolError(let tool): "a tool failed: \(tool)"
        case .notFound: "not found by the search"
        case .wrongForm: "wrong format"
        case .buriedTarget: "correct words buried in other text"
        case .nearMiss: "nearly correct"
        case .wrong: "wrong answer"
        }
    }

    /// Creates the cause of a sample that did not pass.
    public init(_ sample: EvalSampleRecord) {
        if sample.row.outcome == .error {
            self = .error(Self.reason(sample.row.problem ?? "unknown", sample.standardError))
            return
        }
        let first = sample.scores.first
        if sample.row.outcome == .unscored {
            self = .unscored(
                Self.reason(first?.problem ?? sample.row.problem ?? "unknown", sample.standardError))
            return
        }
        let answer = Phrases.folded(sample.answer ?? "")
        if let step = sample.steps.first(where: { $0.kind == .tool && $0.problem != nil }) {
            self = .toolError(step.name)
        } else if answer.isEmpty {
            self = .emptyAnswer
        } else if sample.steps.last(where: { $0.kind == .model })?.problem?.contains("limit") == true {
            self = .cutOff
        } else if Self.isRefusal(answer) {
            self = .refusal
        } else {
            self = Self.compared(sample, answer, extracted: first?.answer)
        }
    }

    private static func isRefusal(_ answer: String) -> Bool {
        let beginning = String(answer.prefix(200))
        return refusals.contains { Phrases.holds(beginning, $0) }
    }

    private static func compared(_ sample: EvalSampleRecord, _ answer: String, extracted: String?) -> FailureCause {
        let targets = sample.targets.map { Phrases.folded($0) }.filter { !$0.isEmpty }
        let taken = extracted.map { Phrases.folded($0) }
        if targets.contains(where: { isNear($0, taken ?? answer) }) { return .nearMiss }
        if targets.contains(where: { $0 != answer && Phrases.holds(answer, $0) }) { return .buriedTarget }
        if extracted == "" || extracted == "[invalid]" { return .wrongForm }
        if sample.steps.contains(where: { $0.kind == .retrieval }) { return .notFound }
        return .wrong
    }

    /// Returns whether two texts differ by at most one edit in five letters. Long texts and texts of very different
    /// lengths are not compared; numbers must be equal.
    private static func isNear(_ target: String, _ answer: String) -> Bool {
        let longest = 200
        guard target.utf8.count <= longest, answer.utf8.count <= longest, target.contains(where: \.isLetter) else {
            return false
        }
        let (a, b) = (Array(target), Array(answer))
        guard a.count >= 4, abs(a.count - b.count) * 5 <= a.count else { return false }
        return Levenshtein.distance(a, b) * 5 <= a.count
    }

    /// Returns a sentence without its numbers and without the last output of a user's program, which belong to the
    /// sample and not to the kind of failure.
    private static func reason(_ sentence: String, _ said: String?) -> String {
        let last = said?.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
        guard let line = last?.prefix(300), let range = sentence.firstRange(of: ": \(line)") else {
            return withoutNumbers(sentence)
        }
        return withoutNumbers(String(sentence[..<range.lowerBound]))
    }

    /// Replaces numbers by `#`, so that sentences that differ only in numbers have one cause; digits after a letter are
    /// part of a name: `crash2.py`, `gpt-4o`, `q02`.
    private static func withoutNumbers(_ sentence: String) -> String {
        var text = ""
        var word = ""
        func end() {
            let isName = word.first { $0.isLetter || $0.isNumber }?.isLetter ?? false
            text += isName ? word : Self.masked(word)
            word = ""
        }
        for character in sentence.prefix(160) {
            if character.isLetter || character.isNumber || "._-/".contains(character) {
                word.append(character)
            } else {
                end()
                text.append(character)
            }
        }
        end()
        return text
    }

    private static func masked(_ word: String) -> String {
        var (text, isNumber) = ("", false)
        for character in word {
            if !character.isNumber { text.append(character) } else if !isNumber { text += "#" }
            isNumber = character.isNumber
        }
        return text
    }

    private static let refusals = [
        "i cannot", "i can't", "i can not", "i'm sorry", "i am sorry", "i am unable", "i'm unable", "as an ai",
        "i won't", "i will not", "i must decline",
    ]
}
