import EvalLogs
import Evals
import JSON
import Statistics
import System
import Testing

struct MetricTests {
    private let pass = EvalScoreKind("exact")

    private func figures(_ kind: String, _ samples: [MetricSample]) throws -> [String: EvalMetric] {
        try figures(kind, "{}", samples)
    }

    private func figures(
        _ kind: String, _ settings: String, _ samples: [MetricSample]
    ) throws -> [String: EvalMetric] {
        let choice = MetricChoice(kind, settings: Scored.settings(settings))
        let figures = try Metrics.figures(of: [choice], scores: [pass]) { _ in samples }
        return Dictionary(figures.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func close(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return false }
        return abs(one - other) < 1e-9
    }

    @Test("means have standard errors and intervals") func means() throws {
        let few = (0..<5).map { MetricSample(id: "\($0)", value: 0) }
        let wilson = try #require(try figures("mean", few)["mean"])
        #expect(wilson.value == 0 && wilson.lower == 0 && close(wilson.upper, 0.43448246478317487))
        let numbers = [0.1, 0.5, 0.9, 0.3].enumerated().map { MetricSample(id: "\($0)", value: $1) }
        let mean = try #require(try figures("mean", numbers + [MetricSample(id: "x", value: nil)])["mean"])
        #expect(close(mean.value, 0.45) && close(mean.standardError, 0.17078251276599332))
        #expect(mean.count == 4 && mean.note == "1 of 5 samples could not be scored")
        let clustered = [(1.0, "a"), (1, "a"), (0, "b"), (0, "b")].enumerated().map {
            MetricSample(id: "\($0)", value: $1.0, cluster: $1.1)
        }
        // Sums over clusters are 1 and -1: sqrt(2/1 · 2) / 4.
        #expect(close(try figures("mean", clustered)["mean"]?.standardError, 0.5))
        #expect(try figures("mean", [MetricSample(id: "x", value: nil)])["mean"]?.count == 0)
    }

    @Test("class and probability metrics match the shared goldens") func sharedGoldens() throws {
        guard let text = Scored.shared("peers/evals/goldens.json") else {
            print("skipped: ../shared/peers/evals/goldens.json is not there")
            return
        }
        let golden = try JSONValue(json: text)
        let multi = try #require(golden["multi_in"])
        let truth = (multi["y"]?.elements ?? []).compactMap(\.int)
        let answered = (multi["p"]?.elements ?? []).compactMap(\.int)
        let classes = zip(truth, answered).enumerated().map {
            MetricSample(id: "\($0)", value: $1.0 == $1.1 ? 1 : 0, answered: "\($1.1)", target: "\($1.0)")
        }
        for average in ["macro", "micro", "weighted"] {
            let name = "f1_\(average)"
            let value = try figures("f1", "{\"average\": \"\(average)\"}", classes)[name]?.value
            #expect(close(value, golden["multi"]?[name]?.double), "\(name)")
        }
        #expect(close(try figures("mcc", classes)["mcc"]?.value, golden["multi"]?["mcc"]?.double))
        let confusion = try figures("confusion", classes)
        #expect(confusion.values.reduce(0) { $0 + $1.value } == Double(classes.count))

        let binary = try #require(golden["binary_in"])
        let ys = (binary["y"]?.elements ?? []).compactMap(\.int)
        let ps = (binary["p"]?.elements ?? []).compactMap(\.double)
        let samples = zip(ys, ps).enumerated().map { index, pair in
            MetricSample(
                id: "\(index)", value: (pair.1 >= 0.5) == (pair.0 == 1) ? 1 : 0, answered: pair.1 >= 0.5 ? "1" : "0",
                target: "\(pair.0)", confidence: max(pair.1, 1 - pair.1))
        }
        let wanted = try #require(golden["binary"])
        let one = "{\"average\": \"1\"}"
        let positive = "{\"positive\": \"1\"}"
        for (kind, settings, name, key) in [
            ("accuracy", "{}", "accuracy", "acc"), ("precision", one, "precision_1", "precision"),
            ("recall", one, "recall_1", "recall"), ("f1", one, "f1_1", "f1"), ("mcc", "{}", "mcc", "mcc"),
            ("balanced_accuracy", "{}", "balanced_accuracy", "balanced_acc"),
            ("roc_auc", positive, "roc_auc", "roc_auc"),
            ("average_precision", positive, "average_precision", "average_precision"),
            ("brier", positive, "brier", "brier"), ("log_loss", positive, "log_loss", "log_loss"),
        ] {
            #expect(close(try figures(kind, settings, samples)[name]?.value, wanted[key]?.double), "\(kind)")
        }
        let calibration = try #require(golden["calibration_top_label"])
        let width = try figures("ece", samples)
        #expect(close(width["ece15_width"]?.value, calibration["ece15_width"]?.double))
        #expect(close(width["mce15_width"]?.value, calibration["mce15_width"]?.double))
        let mass = try figures("ece", "{\"division\": \"mass\"}", samples)
        #expect(close(mass["ece15_mass"]?.value, calibration["ace15_mass"]?.double))

        for member in golden["pass_at_k"]?.members ?? [] {
            let numbers = member.key.split(separator: "_").compactMap { Int($0.dropFirst()) }
            let epochs = (0..<numbers[0]).map { $0 < numbers[1] ? 1.0 : 0 }
            let sample = MetricSample(id: "1", value: 1, epochs: epochs)
            let settings = "{\"k\": \(numbers[2])}"
            let any = try figures("pass_at", settings, [sample])["pass@\(numbers[2])"]?.value
            let all = try figures("pass_all", settings, [sample])["pass^\(numbers[2])"]?.value
            #expect(close(any, member.value["pass@k"]?.double) && close(all, member.value["pass^k"]?.double))
        }
    }

    @Test("perplexities are computed over all texts together") func perplexities() throws {
        let samples = [[-10.0, 4, 20, 5], [-6, 4, 12, 3]].enumerated().map {
            MetricSample(id: "\($0)", value: 1, parts: $1)
        }
        let found = try figures("perplexity", samples)
        #expect(close(found["word_perplexity"]?.value, 7.38905609893065))
        #expect(close(found["byte_perplexity"]?.value, 1.6487212707001282))
        #expect(close(found["bits_per_byte"]?.value, 0.7213475204444817))
        #expect(close(found["token_perplexity"]?.value, 7.38905609893065))
        #expect(found["bits_per_byte"]?.higherIsBetter == false)
    }

    @Test("flip rate and unparsable answers are computed from epochs") func epochMetrics() throws {
        let samples = [
            MetricSample(id: "1", value: 1, epochs: [1, 1, 0]), MetricSample(id: "2", value: 0, epochs: [0, 0, 0]),
            MetricSample(id: "3", value: nil, epochs: [1]),
        ]
        #expect(close(try figures("flip_rate", samples)["flip_rate"]?.value, (2.0 / 3) / 2))
        #expect(close(try figures("unparsable", samples)["unparsable"]?.value, 1.0 / 3))
    }

    @Test(
        "epochs are reduced to one value",
        arguments: [
            (EpochReducer.mean, [1, 0, 0, 1] as [Double], 0.5 as Double?), (.median, [3, 1, 2], 2),
            (.median, [4, 1], 2.5),
            (.mode, [0, 1, 1], 1), (.mode, [0, 1], 0), (.max, [0, 1], 1), (.atLeast(2), [1, 0, 1], 1),
            (.atLeast(3), [1, 0, 1], 0), (.passAt(2), [1, 0, 0], 2.0 / 3), (.passAll(2), [1, 1, 0], 1.0 / 3),
            (.passAt(4), [1, 0, 0], nil), (.mean, [], nil),
        ])
    func reducers(reducer: EpochReducer, values: [Double], value: Double?) {
        let reduced = reducer.reduce(values, higherIsBetter: pass.higherIsBetter) { pass.passes($0) }
        #expect(value == nil ? reduced == nil : close(reduced, value))
    }

    @Test("unknown metrics and scores suggest the nearest name") func unknownNames() throws {
        func sentence(_ choice: MetricChoice) -> String? {
            do {
                _ = try Metrics.figures(of: [choice], scores: [pass]) { _ in [] }
                return nil
            } catch { return error.sentence }
        }
        let settings = Scored.settings("{}")
        #expect(
            sentence(MetricChoice("maen", settings: settings))
                == "task.toml, line 7: unknown metric \"maen\". Did you mean \"mean\"?")
        #expect(
            sentence(MetricChoice("mean", of: "exakt", settings: settings))
                == "task.toml, line 7: unknown score \"exakt\" for the metric \"mean\". Did you mean \"exact\"?")
    }
}
