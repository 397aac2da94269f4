import CommandSupport
import Console
import Formatting
import JSON
import Training

/// Frequency of an effect of steering, as text and JSON.
struct FeatureScore: JSONRepresentable {
    private struct Kind {
        var name: String
        var hits = 0
        var divergence = 0.0
        var divergences = 0
        var answers: [String] = []

        var share: Proportion { Proportion(hits: hits, count: answers.count) }
        var meanDivergence: Double? { divergences == 0 ? nil : divergence / Double(divergences) }
    }

    let dictionary: String
    let feature: Int
    let value: Float
    let expected: String
    private var prompts: [String] = []
    private var kinds = [Kind(name: "untouched"), Kind(name: "steered"), Kind(name: "control")]

    init(dictionary: String, feature: Int, value: Float, expected: String) {
        self.dictionary = dictionary
        self.feature = feature
        self.value = value
        self.expected = expected
    }

    mutating func add(_ prompt: String, _ answers: [FeatureTrial.Answer], isExpected: (String) -> Bool) {
        prompts.append(prompt)
        for (index, answer) in answers.enumerated() {
            kinds[index].hits += isExpected(answer.text) ? 1 : 0
            kinds[index].divergence += answer.divergences.reduce(0) { $0 + Double($1) }
            kinds[index].divergences += answer.divergences.count
            kinds[index].answers.append(answer.text)
        }
    }

    /// Whether the steered share is above both others, beyond the intervals.
    private var isApart: Bool {
        let lower = kinds[1].share.interval().lowerBound
        return lower > kinds[0].share.interval().upperBound && lower > kinds[2].share.interval().upperBound
    }

    func text(examples: Int) -> String {
        var table = TextTable(
            [
                "feature \(feature) = \(Format.fixed(Double(value), digits: 2))", "found", "of", "share", "95 %",
                "KL/token",
            ],
            rightAligned: [1, 2, 3, 4, 5])
        for kind in kinds {
            let interval = kind.share.interval()
            table.add([
                kind.name, "\(kind.hits)", "\(kind.answers.count)", Format.percent(kind.share.value),
                "\(Format.percent(interval.lowerBound)) to \(Format.percent(interval.upperBound))",
                kind.meanDivergence.map { Format.fixed($0, digits: 3) } ?? "",
            ])
        }
        let judgment =
            isApart
            ? "the steered interval is above both other intervals"
            : "the steered interval is not above both other intervals"
        let shown = prompts.indices.prefix(examples).map { index in
            ([("prompt", prompts[index])] + kinds.map { ($0.name, $0.answers[index]) }).map {
                "\($0.0.padded(to: 9))  \(Printable.line($0.1.replacing("\n", with: "⏎")))"
            }.joined(separator: "\n")
        }
        return ([table.text, judgment] + shown).joined(separator: "\n\n")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("dictionary", dictionary)
            json.member("feature", feature)
            json.member("value", Double(value))
            json.member("expect", expected)
            json.member("apart", isApart)
            for kind in kinds {
                let interval = kind.share.interval()
                json.member(kind.name) { json in
                    json.object {
                        $0.member("found", kind.hits)
                        $0.member("of", kind.answers.count)
                        $0.member("share", kind.share.value)
                        $0.member("low", interval.lowerBound)
                        $0.member("high", interval.upperBound)
                        $0.member("kl_per_token", ifPresent: kind.meanDivergence)
                        $0.member("answers", kind.answers)
                    }
                }
            }
        }
    }
}
