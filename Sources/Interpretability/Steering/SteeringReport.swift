internal import Glibc
public import Tokenizers
public import Training

/// The effect of steering, compared with no steering and with random directions of the same strength.
public struct SteeringReport: Sendable {
    /// One way of running the prompts.
    public struct Measure: Sendable {
        /// `untouched`, the vector's method, or that of the control.
        public var name: String
        /// Answers that are as wanted; `interval()` says how sure that is.
        public var satisfied: Proportion
        /// Mean KL(untouched ‖ this) in nats a token, over the untouched answers.
        public var divergence: Double
        /// e to the mean loss of this run on the untouched answers.
        public var perplexity: Double
        /// e to the mean loss of the untouched model on the answers of this run: how natural they are to it.
        public var answerPerplexity: Double
        public var answers: [[TokenID]]
    }

    public var untouched: Measure
    public var steered: Measure
    /// Random directions of the same length, all of their answers together.
    public var control: Measure
    public var multiple: Float

    /// Whether the share of wanted answers is above the control's beyond both intervals (95 %).
    public var isAboveControl: Bool {
        steered.satisfied.interval().lowerBound > control.satisfied.interval().upperBound
    }

    /// The three measures as CSV: what was run, share and interval, KL, perplexities.
    public func csv() -> String {
        var lines = ["run,satisfied,of,share,low,high,kl_per_token,perplexity,answer_perplexity"]
        for measure in [untouched, steered, control] {
            let (share, interval) = (measure.satisfied, measure.satisfied.interval())
            lines.append(
                "\"\(measure.name.replacing("\"", with: "\"\""))\",\(share.hits),\(share.count),\(share.value),"
                    + "\(interval.lowerBound),\(interval.upperBound),\(measure.divergence),\(measure.perplexity),"
                    + "\(measure.answerPerplexity)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Sums over tokens, of which means and perplexities are made.
struct SteeringSums {
    var divergence = 0.0
    var loss = 0.0
    var answerLoss = 0.0
    var tokens = 0
    var answerTokens = 0
    var hits = 0
    var answers: [[TokenID]] = []

    func measure(_ name: String) -> SteeringReport.Measure {
        SteeringReport.Measure(
            name: name, satisfied: Proportion(hits: hits, count: answers.count),
            divergence: tokens == 0 ? 0 : divergence / Double(tokens),
            perplexity: tokens == 0 ? 1 : exp(loss / Double(tokens)),
            answerPerplexity: answerTokens == 0 ? 1 : exp(answerLoss / Double(answerTokens)), answers: answers)
    }
}
