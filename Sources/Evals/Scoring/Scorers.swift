internal import Configuration
public import System
internal import Traces

/// All scorers that task files can choose, by section. A new one is one file and one line here.
public enum Scorers {
    public static let all: [any Scorer.Type] =
        texts + structures + tools + judges + LMEvalScorers.all + PromptfooScorers.all + programs

    /// Scorers of the answer's text.
    private static let texts: [any Scorer.Type] = [
        ExactScorer.self, NormalizedScorer.self, TokenOverlapScorer.self, PatternScorer.self, NumericScorer.self,
        ContainsScorer.self, ContainsAnyScorer.self, ContainsAllScorer.self, StartsWithScorer.self,
        EditDistanceScorer.self, BLEUScorer.self, ChrFScorer.self, TERScorer.self, ROUGEScorer.self,
        EmbeddingScorer.self, LabelScorer.self, FuzzyMatchScorer.self,
    ]

    /// Scorers of structured answers, choices, and probabilities.
    private static let structures: [any Scorer.Type] = [
        JSONSchemaScorer.self, JSONFieldsScorer.self, ChoiceScorer.self, PerplexityScorer.self, RankingScorer.self,
        ChecksScorer.self, TestQuestionScorer.self,
    ]

    /// Scorers of the steps to the answer.
    private static let tools: [any Scorer.Type] = [
        ToolsUsedScorer.self, ToolArgumentsScorer.self, StepCountScorer.self, NoErrorsScorer.self,
    ]

    /// Scorers in which a model judges.
    private static let judges: [any Scorer.Type] = [
        RubricJudge.self, GEvalJudge.self, PairwiseScorer.self, FactualityJudge.self, AnswerRelevanceJudge.self,
        FaithfulnessJudge.self, ContextPrecisionJudge.self, ContextRecallJudge.self, NoiseSensitivityJudge.self,
        SelectBestJudge.self,
    ]

    /// Scorers that run a user's program or the answer itself.
    private static let programs: [any Scorer.Type] = [ProgramScorer.self, CodeScorer.self]

    /// Creates the scorer that a task file chose, with its weight, threshold, and negation.
    ///
    /// - Throws: `Problem` for an unknown scorer, or an unknown, missing, or invalid setting, with the nearest name.
    public static func make(_ choice: ScorerChoice) throws(Problem) -> any Scorer {
        guard let type = all.first(where: { $0.kind.name == choice.kind }) else {
            let nearest = NearestName.suggestion(for: choice.kind, among: all.map { $0.kind.name })
            throw choice.settings.error(
                "unknown scorer \"\(choice.kind)\"", nearest ?? "")
        }
        try choice.settings.check(type.kind.settings, of: "scorer \"\(choice.kind)\"")
        return ChosenScorer(try type.init(choice.settings), choice)
    }

    /// Kinds of scorers, for help and completion.
    public static var kinds: [ScorerKind] { all.map { $0.kind } }
}
