import Evals
import JSON
import System
import Testing
import Traces

/// Intervals of figures, and undefined figures.
struct MetricIntervalTests {
    private func figures(_ kind: String, _ settings: String, _ samples: [MetricSample]) throws -> [EvalMetric] {
        let choice = MetricChoice(kind, settings: Scored.settings(settings))
        return try Metrics.figures(of: [choice], scores: [EvalScoreKind("exact")]) { _ in samples }
    }

    private func one(_ kind: String, _ samples: [MetricSample]) throws -> EvalMetric { try one(kind, "{}", samples) }

    private func one(_ kind: String, _ settings: String, _ samples: [MetricSample]) throws -> EvalMetric {
        try #require(try figures(kind, settings, samples).first)
    }

    /// Returns answers in clusters, one cluster per document.
    private func shares(_ wrong: (Int) -> Bool, count: Int, clusterSize: Int?) -> [MetricSample] {
        (0..<count).map { place in
            MetricSample(
                id: "\(place)", value: wrong(place) ? 0 : 1, cluster: clusterSize.map { "document \(place / $0)" })
        }
    }

    @Test("clustered shares have an interval in [0, 1]") func clusteredShares() throws {
        let mean = try one("mean", shares({ $0 < 8 }, count: 120, clusterSize: 12))
        let (lower, upper) = (try #require(mean.lower), try #require(mean.upper))
        #expect(lower > 0.3 && lower < mean.value && upper > mean.value && upper <= 1)
        let plain = try one("mean", shares({ $0 < 8 }, count: 120, clusterSize: nil))
        #expect(lower < (plain.lower ?? 0), "eight wrong ones of one document tell less than eight of eight")
    }

    @Test("other shares have an interval in [0, 1]") func otherShares() throws {
        let few = [0.98, 0.983].enumerated().map { MetricSample(id: "\($0)", value: $1) }
        let mean = try one("mean", few)
        #expect((mean.upper ?? 2) <= 1 && (mean.lower ?? 1) < 0.98)
        for count in 1...3 {
            let same = try one("mean", (0..<count).map { MetricSample(id: "\($0)", value: 1) })
            #expect(try #require(same.upper) - #require(same.lower) > 0.2, "\(count) samples do not mean 100 %")
        }
    }

    @Test("answers without a class are misses") func unparsable() throws {
        let samples = (0..<1_000).map { place in
            let target = place % 2 == 0 ? "a" : "b"
            return MetricSample(
                id: "\(place)", value: place == 0 ? 0 : 1, answered: place == 0 ? LabelScorer.none : target,
                target: target)
        }
        let macro = try one("f1", samples)
        // Class a: 499 of 500; class b: all.
        #expect(abs(macro.value - (2 * 499.0 / 999 + 1) / 2) < 1e-12)
        #expect(macro.note == "1 answers name no class and count as misses")
        #expect(abs(try one("recall", samples).value - (0.998 + 1) / 2) < 1e-12)
        #expect(try one("precision", samples).value == 1)
    }

    @Test("class metrics have intervals") func classes() throws {
        let samples = (0..<200).map { place in
            let target = place % 2 == 0 ? "a" : "b"
            let answered = place % 5 == 0 ? (target == "a" ? "b" : "a") : target
            return MetricSample(
                id: "\(place)", value: answered == target ? 1 : 0, answered: answered, target: target,
                confidence: 0.5 + Double(place % 50) / 100)
        }
        for (kind, settings) in [
            ("f1", "{}"), ("mcc", "{}"), ("balanced_accuracy", "{}"), ("roc_auc", "{\"positive\": \"a\"}"),
            ("average_precision", "{}"), ("ece", "{}"), ("brier", "{}"), ("log_loss", "{}"),
        ] {
            let found = try one(kind, settings, samples)
            let (lower, upper) = (try #require(found.lower), try #require(found.upper))
            #expect(lower <= found.value && found.value <= upper && upper - lower > 0.001, "\(kind)")
            #expect(try one(kind, settings, samples) == found, "\(kind): the same bytes each time")
            let few = try one(kind, settings, Array(samples.prefix(8)))
            #expect(few.lower == nil, "\(kind): too few to draw from")
        }
        // About as wide as the error of a share of 0.8 of 200.
        let accuracy = try one("balanced_accuracy", samples)
        let width = try #require(accuracy.upper) - #require(accuracy.lower)
        #expect(abs(width - 2 * 1.96 * 0.02828) < 0.02)
    }

    @Test("probabilities of three or more classes are not derived from the rest") func derivedProbabilities() throws {
        let perfect = (0..<30).map { place in
            let label = ["a", "b", "c"][place % 3]
            return MetricSample(
                id: "\(place)", value: 1, answered: label, target: label, confidence: label == "a" ? 0.5 : 0.4)
        }
        for kind in ["roc_auc", "average_precision", "brier", "log_loss"] {
            let refused = try one(kind, "{\"positive\": \"a\"}", perfect)
            #expect(refused.value.isNaN && refused.count == 0)
            #expect(refused.note?.hasPrefix("undefined: 3 classes occur") == true)
        }
        let told = perfect.map { sample in
            var sample = sample
            sample.choices = ["a", "b", "c"]
            sample.parts =
                sample.target == "a" ? [0.5, 0.3, 0.2] : sample.target == "b" ? [0.3, 0.4, 0.3] : [0.3, 0.3, 0.4]
            return sample
        }
        #expect(try one("roc_auc", "{\"positive\": \"a\"}", told).value == 1)
    }

    @Test("a scorer that always failed still has a row") func failedScorer() throws {
        let unscored = (0..<8).map { MetricSample(id: "\($0)", value: nil) }
        let scores = [EvalScoreKind("rubric"), EvalScoreKind("exec")]
        let figures = try Metrics.figures(of: [], scores: scores) { score in
            score.name == "rubric" ? unscored : unscored.map { MetricSample(id: $0.id, value: 1) }
        }
        #expect(figures.map { $0.title(among: figures) } == ["rubric", "exec"])
        #expect(figures[0].value.isNaN && figures[0].count == 0)
        #expect(figures[0].note == "none of the 8 samples could be scored")
        #expect(try Metrics.figures(of: [], scores: scores) { _ in [] }.isEmpty)
    }

    @Test("text metrics have intervals") func texts() throws {
        let texts = (0..<40).map { place in
            MetricSample(
                id: "\(place)", value: 1, answer: "the cat sat on mat number \(place % 7) and slept",
                targets: ["the cat sat on the mat number \(place % 5) and slept"])
        }
        for kind in ["corpus_bleu", "corpus_chrf", "corpus_ter"] {
            let found = try one(kind, texts)
            #expect(try #require(found.lower) < found.value && found.value < #require(found.upper), "\(kind)")
        }
        let long = MetricSample(id: "long", value: 1, answer: String(repeating: "a ", count: 1_100_000), targets: ["a"])
        #expect(try one("corpus_bleu", texts + [long]).note == "1 of 41 samples could not be compared")
    }
}
