import Inference
import LanguageModels
import Models

/// Keeps tokens whose logits are within a gap of the greatest: a sampler that no module of the program contains.
struct LogitGap: LogitProcessor {
    static let field = SamplingField(
        "logit_gap", label: "logit gap", in: 0...100, default: "all tokens",
        help: "Keep tokens whose logits are within this gap of the greatest.", openAINames: ["logit_gap", "gap"])

    static let sampler = Sampler(field, truncates: true) { value throws(ModelError) in
        guard value.double >= 0, value.double.isFinite else {
            throw Sampler.outOfRange(field, value, "Use a number of 0 or more.")
        }
        return LogitGap(gap: Float(value.double))
    }

    /// Largest difference from the greatest logit.
    let gap: Float

    var name: String { "logit gap \(gap)" }

    func process(_ candidates: Candidates, after history: TokenHistory) {
        candidates.keep(reaching: candidates.greatest - gap)
    }
}
