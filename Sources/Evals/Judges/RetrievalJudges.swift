public import EvalLogs
public import System
internal import Traces

/// Returns the score of a retrieval judge, or a score with a problem.
private func judged(
    _ name: String, _ solution: Solution, _ make: () throws(Problem) -> EvalScore
) -> [EvalScore] {
    do throws(Problem) { return [try make()] } catch {
        return [JudgePrompt.unscored(name, error, answer: solution.answer)]
    }
}

/// Faithfulness: the share of the answer's statements that the passages support. Without statements, there is no value.
///
/// Source: Es et al., EACL 2024 (RAGAS). Parts: supported, statements.
public struct FaithfulnessJudge: Scorer {
    public static let kind = ScorerKind(
        "faithfulness", "share of the answer's statements that the passages support", needsJudge: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("faithfulness")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        judged("faithfulness", solution) { () throws(Problem) in
            let contexts = sample.contexts(solution)
            guard !contexts.isEmpty else { throw Problem(.missing, "", "there are no passages") }
            let statements = try Statements.of(solution.answer, question: sample.question, in: room)
            guard !statements.isEmpty else { throw Problem(.invalid, "", "the answer makes no statement") }
            let truths = try Statements.supported(statements, by: contexts.joined(separator: "\n\n"), in: room)
            return Self.share("faithfulness", statements, truths, solution)
        }
    }

    /// Returns the share of true statements, and lists the others.
    static func share(_ name: String, _ statements: [String], _ truths: [Bool], _ solution: Solution) -> EvalScore {
        let count = truths.count { $0 }
        let others = zip(statements, truths).filter { !$1 }.map { "not supported: \($0.0)" }
        return EvalScore(
            name, value: Double(count) / Double(statements.count), answer: solution.answer,
            explanation: (["\(count) of \(statements.count) statements are supported"] + others).joined(
                separator: "\n"), parts: [Double(count), Double(statements.count)])
    }
}

/// Context recall: the share of the reference's statements that the passages support. Without statements, there is no
/// value. Source: RAGAS.
public struct ContextRecallJudge: Scorer {
    public static let kind = ScorerKind(
        "context_recall", "share of the reference's statements that the passages support", needsJudge: true,
        needsTargets: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("context_recall")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        judged("context_recall", solution) { () throws(Problem) in
            guard let reference = sample.targets.first else { throw Problem(.missing, "", "the sample has no target") }
            let contexts = sample.contexts(solution)
            guard !contexts.isEmpty else { throw Problem(.missing, "", "there are no passages") }
            let claims = try Statements.of(reference, question: sample.question, in: room)
            guard !claims.isEmpty else { throw Problem(.invalid, "", "the reference makes no statement") }
            let truths = try Statements.supported(claims, by: contexts.joined(separator: "\n\n"), in: room)
            return FaithfulnessJudge.share("context_recall", claims, truths, solution)
        }
    }
}

/// Context precision, whether useful passages rank first: Σ (P@k · v_k) / (Σ v + 1e-10). Source: RAGAS. Parts: useful,
/// passages.
public struct ContextPrecisionJudge: Scorer {
    public static let kind = ScorerKind(
        "context_precision", "whether useful passages rank first", needsJudge: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("context_precision", passesAt: 0.5)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        judged("context_precision", solution) { () throws(Problem) in
            let contexts = sample.contexts(solution)
            guard !contexts.isEmpty else { throw Problem(.missing, "", "there are no passages") }
            var useful: [Bool] = []
            for context in contexts {
                let prompt = JudgePrompt(
                    "usefulness",
                    task: "Was the context useful for arriving at the reference, as an answer to the question?",
                    material: [
                        ("question", sample.question), ("reference", sample.targets.first ?? solution.answer),
                        ("context", context),
                    ], form: JudgeScale.yesNo.form, seed: room.seed)
                useful.append(try room.ask(prompt).word("verdict", of: ["yes", "no"]).word == "yes")
            }
            let count = useful.count { $0 }
            return EvalScore(
                "context_precision", value: Self.precision(useful), answer: solution.answer,
                explanation: "\(count) of \(useful.count) passages are useful: "
                    + useful.map { $0 ? "yes" : "no" }.joined(separator: ", "),
                parts: [Double(count), Double(useful.count)])
        }
    }

    static func precision(_ useful: [Bool]) -> Double {
        var found = 0.0
        var sum = 0.0
        for (place, isUseful) in useful.enumerated() where isUseful {
            found += 1
            sum += found / Double(place + 1)
        }
        return sum / (found + 1e-10)
    }
}

/// Noise sensitivity: how often a relevant passage leads the answer to a wrong statement.
///
/// Mean over the answer's statements of (supported by a relevant passage and not by the reference); a passage is
/// relevant if it supports a statement of the reference. Without statements, there is no value. Source: RAGAS. Lower is
/// better.
public struct NoiseSensitivityJudge: Scorer {
    public static let kind = ScorerKind(
        "noise_sensitivity", "share of the answer's statements that are wrong because of a relevant passage",
        needsJudge: true,
        needsTargets: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] {
        [EvalScoreKind("noise_sensitivity", higherIsBetter: false, passesAt: 0)]
    }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        judged("noise_sensitivity", solution) { () throws(Problem) in
            guard let reference = sample.targets.first else { throw Problem(.missing, "", "the sample has no target") }
            let contexts = sample.contexts(solution)
            guard !contexts.isEmpty else { throw Problem(.missing, "", "there are no passages") }
            let wanted = try Statements.of(reference, question: sample.question, in: room)
            let answered = try Statements.of(solution.answer, question: sample.question, in: room)
            guard !answered.isEmpty else { throw Problem(.invalid, "", "the answer makes no statement") }
            let isRight = try Statements.supported(answered, by: reference, in: room)
            var isFaithful = [Bool](repeating: false, count: answered.count)
            for context in contexts {
                guard try Statements.supported(wanted, by: context, in: room).contains(true) else { continue }
                let truths = try Statements.supported(answered, by: context, in: room)
                for place in isFaithful.indices where truths[place] { isFaithful[place] = true }
            }
            let wrong = zip(answered, zip(isFaithful, isRight)).filter { $1.0 && !$1.1 }.map(\.0)
            return EvalScore(
                "noise_sensitivity", value: Double(wrong.count) / Double(answered.count), answer: solution.answer,
                explanation: (["\(wrong.count) of \(answered.count) statements are wrong because of a passage"] + wrong)
                    .joined(
                        separator: "\n"), parts: [Double(wrong.count), Double(answered.count)])
        }
    }
}
