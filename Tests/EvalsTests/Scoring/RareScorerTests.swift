import EvalLogs
import Evals
import JSON
import LanguageModels
import Testing

@Suite("Rare scorers")
struct RareScorerTests {
    @Test(
        "edit_count and word_count count edits and words",
        arguments: [
            // kitten, sitten, sittin, sitting.
            ("edit_count", "{}", "kitten", ["sitting"], 3.0), ("edit_count", "{}", "", ["four"], 4.0),
            ("edit_count", "{}", "café", ["cafe", "xyz"], 1.0), ("edit_count", "{}", "same", ["same"], 0.0),
            ("word_count", "{\"min\": 2, \"max\": 3}", " one two\nthree ", [], 1.0),
            ("word_count", "{\"min\": 2, \"max\": 3}", "one two three four", [], 0.0),
            ("word_count", "{\"min\": 2}", "one", [], 0.0), ("word_count", "{}", "", [], 1.0),
        ])
    func counts(kind: String, settings: String, answer: String, targets: [String], value: Double) throws {
        #expect(try Scored.value(kind, settings, answer, targets).value == value)
    }

    @Test(
        "counting scorers have their own ways to pass",
        arguments: [("{}", 5.0), ("{\"most\": 2}", 2.0)])
    func most(settings: String, passes: Double) throws {
        let kind = try #require(Scored.make("edit_count", settings).scores.first)
        #expect(kind.passesAt == passes)
        #expect(!kind.higherIsBetter)
    }

    @Test(
        "similar is the cosine to the nearest target",
        arguments: [
            // (3, 4) against (4, 3): 24 / 25; against (0, 2): 8 / 10; against (-3, -4): -1.
            (["4 3"], 0.96), (["0 2"], 0.8), (["-3 -4"], -1.0), (["0 2", "4 3"], 0.96),
        ])
    func similar(targets: [String], value: Double) throws {
        var room = ScoringRoom()
        room.embed = { texts in texts.map { $0.split(separator: " ").compactMap { Float($0) } } }
        let score = try Scored.value("similar", "{}", "3 4", targets, room: room)
        #expect(abs(try #require(score.value) - value) < 1e-12)
        #expect(try Scored.value("similar", "{}", "3 4", ["0 0"], room: room).value == nil)
        #expect(try Scored.value("similar", "{}", "3 4", targets).problem == "no embedder was chosen")
    }

    @Test("answer_perplexity is the geometric mean of 1/p over the tokens of the answer, without those of a judge")
    func perplexity() throws {
        // 1/2 and 1/8: the root of 16 is 4.
        let own = call([0.5, 0.125], purpose: nil)
        let judge = call([0.001], purpose: "judge")
        let scorer = try Scored.make("answer_perplexity", "{\"most\": 5}")
        let score = scorer.score(
            Solution(answers: ["x"], steps: [own, judge]), of: Scored.sample(["x"]), in: ScoringRoom())
        #expect(abs(try #require(score.first?.value) - 4) < 1e-12)
        #expect(scorer.scores.first?.passesAt == 5)
        let untold = scorer.score(Solution(answers: ["x"], steps: [judge]), of: Scored.sample([]), in: ScoringRoom())
        #expect(untold.first?.problem == "the model reported no token probabilities")
    }

    private func call(_ probabilities: [Double], purpose: String?) -> SolutionStep {
        let logarithms = [0.5: -0.6931471805599453, 0.125: -2.0794415416798357, 0.001: -6.907755278982137]
        return .model(
            SolutionStep.CallRecord(
                provider: "test", model: "m", request: ModelRequest(.text("q")), response: nil, purpose: purpose,
                start: 1, end: 2,
                answered: probabilities.map { TokenStep(text: "x", logProbability: logarithms[$0]) }))
    }
}
