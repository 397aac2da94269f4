/// Scorers that only promptfoo's assertions need.
public enum PromptfooScorers {
    public static let all: [any Scorer.Type] = [
        AssertedScorer.self, CheckSetScorer.self, LatencyScorer.self, CostScorer.self, WordCountScorer.self,
        RefusalScorer.self, EditCountScorer.self, AnswerPerplexityScorer.self,
    ]
}
