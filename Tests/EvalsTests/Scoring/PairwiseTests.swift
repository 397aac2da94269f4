import EvalLogs
import Evals
import Hashing
import JSON
import LanguageModels
import Statistics
import System
import Testing

struct PairwiseTests {
    private static func verdict(_ prompt: String, _ word: String) -> String {
        "{\"id\": \"\(mark(of: prompt))\", \"reason\": \"r\", \"verdict\": \"\(word)\"}"
    }

    /// Returns a judge that follows quality (the number in an answer), except for a share of verdicts for the first place.
    ///
    /// Verdicts depend only on seed and prompt, so that a run is reproducible.
    private static func biased(_ share: Double, seed: UInt64) -> FunctionJudge {
        FunctionJudge { prompt in
            let first = fenced("first", in: prompt)
            let second = fenced("second", in: prompt)
            var digest: UInt64 = seed
            for byte in (first + "|" + second).utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
            var generator = SplitMix64(seed: digest)
            if generator.nextUnit() < share { return verdict(prompt, "first") }
            let better = (Int(first.dropFirst()) ?? 0) > (Int(second.dropFirst()) ?? 0)
            return verdict(prompt, better ? "first" : "second")
        }
    }

    private func report(_ judge: FunctionJudge, count: Int) -> PairwiseReport {
        var generator = SplitMix64(seed: 5)
        let room = ScoringRoom(judge: judge)
        return PairwiseReport(
            (0..<count).map { _ in
                let a = generator.next(below: 100_000)
                let b = generator.next(below: 100_000)
                return PairwiseJudge().compare(question: "q", "x\(a)", "x\(b)", in: room)
            })
    }

    @Test("a planted position bias of 10 points is found", arguments: 1...5 as ClosedRange<UInt64>)
    func positionBiasIsFound(seed: UInt64) throws {
        // One verdict in five goes to the first place, which wins 0.2 + 0.8 / 2 = 60 %.
        let report = report(Self.biased(0.2, seed: seed), count: 1_000)
        let share = try #require(report.firstShare)
        #expect(abs(share - 0.6) < 0.02)
        #expect(report.hasPositionBias)
        #expect(try #require(report.firstInterval).lower > 0.5)
        #expect(abs(try #require(report.flipRate) - 0.2) < 0.04)
        #expect(report.sentence.contains("position bias: the first answer wins"))
        let fair = self.report(Self.biased(0, seed: seed), count: 1_000)
        #expect(fair.firstShare == 0.5 && !fair.hasPositionBias && fair.flipRate == 0)
    }

    @Test(
        "a win needs both orders",
        arguments: [
            ("first", "second", PairwiseJudge.Verdict.first as PairwiseJudge.Verdict?, false as Bool?),
            ("second", "first", .second, false), ("first", "first", .tie, true), ("second", "second", .tie, true),
            ("tie", "tie", .tie, false), ("tie", "first", .tie, true), ("no idea", "first", nil, nil),
        ])
    func winsNeedBothOrders(
        forward: String, backward: String, outcome: PairwiseJudge.Verdict?, isFlipped: Bool?
    ) {
        let judge = FunctionJudge { Self.verdict($0, fenced("first", in: $0) == "A" ? forward : backward) }
        let comparison = PairwiseJudge().compare(question: "q", "A", "BB", in: ScoringRoom(judge: judge))
        #expect(comparison.outcome == outcome)
        #expect(comparison.isFlipped == isFlipped)
        #expect(comparison.lengthA == 1 && comparison.lengthB == 2)
    }

    @Test("the report has counts and rates") func report() throws {
        func one(_ forward: PairwiseJudge.Verdict?, _ backward: PairwiseJudge.Verdict?) -> PairwiseJudge.Comparison {
            PairwiseJudge.Comparison(forward: forward, backward: backward, lengthA: 10, lengthB: 5)
        }
        let report = PairwiseReport([
            one(.first, .second), one(.first, .second), one(.second, .first), one(.first, .first), one(nil, .first),
        ])
        #expect(report.count == 4 && report.unread == 1 && report.winsA == 2 && report.winsB == 1 && report.ties == 1)
        #expect(report.flipRate == 0.25)
        // 100 · mean(1, 1, 0, 0.5), s/√n with ddof 1.
        #expect(report.winRate == 62.5)
        #expect(abs(try #require(report.winRateError) - 23.935677693908453) < 1e-12)
        #expect(report.firstShare == 0.625)
        #expect(abs(try #require(report.longerWins) - 2.0 / 3) < 1e-15)
        let nothing = PairwiseReport([one(nil, nil)])
        #expect(nothing.count == 0 && nothing.winRate == nil && !nothing.hasPositionBias)
    }

    @Test("the pairwise scorer returns wins and flips") func scorer() throws {
        let judge = FunctionJudge { Self.verdict($0, fenced("first", in: $0) == "mine" ? "first" : "second") }
        let room = ScoringRoom(judge: judge)
        let scorer = try Scored.make("pairwise", "{\"baseline\": \"old\"}")
        let fields = try JSONValue(json: "{\"old\": \"theirs\"}")
        let scores = scorer.score(
            Solution(answers: ["mine"]), of: Scored.sample([], fields: fields), in: room)
        #expect(scores.map(\.value) == [1, 0, 0.5])
        #expect(scorer.score(Solution(answers: ["mine"]), of: Scored.sample([]), in: room)[0].value == nil)
    }

    @Test("agreement on FairEval matches scikit-learn") func fairEval() throws {
        let folder = "data/evals/faireval/"
        guard let review = Scored.shared(folder + "review_gpt35_vicuna-13b_human.txt"),
            let one = Scored.shared(folder + "answer_gpt35.jsonl"),
            let other = Scored.shared(folder + "answer_vicuna-13b.jsonl")
        else {
            print("skipped: ../shared/\(folder) is not there")
            return
        }
        let golden = try #require(try Scored.golden("text.json")["faireval"])
        func close(_ value: Double?, _ name: String) -> Bool {
            guard let value, let wanted = golden[name]?.double else { return false }
            return abs(value - wanted) < 1e-9
        }
        func texts(_ lines: String) throws -> [String] {
            try lines.split(separator: "\n").map { try JSONValue(json: String($0))["text"]?.string ?? "" }
        }
        let people = try HumanVerdicts.read(review, first: "CHATGPT", second: "VICUNA13B")
        let counts = PairwiseJudge.Verdict.allCases.map { verdict in people.count { $0 == verdict } }
        #expect(counts == golden["people"]?.elements?.compactMap(\.int))
        // The rule of the generator: length, with a slight preference for the first place.
        let judge = FunctionJudge { prompt in
            let first = Double(fenced("first", in: prompt).unicodeScalars.count)
            let second = Double(fenced("second", in: prompt).unicodeScalars.count)
            return Self.verdict(prompt, first * 1.15 >= second ? first <= second ? "tie" : "first" : "second")
        }
        let room = ScoringRoom(judge: judge)
        let comparisons = zip(try texts(one), try texts(other)).map {
            PairwiseJudge().compare(question: "q", $0, $1, in: room)
        }
        let merged = comparisons.compactMap(\.outcome).map(\.rawValue)
        let forward = comparisons.compactMap(\.forward).map(\.rawValue)
        let backward = comparisons.compactMap(\.backward?.turned).map(\.rawValue)
        let human = people.map(\.rawValue)
        #expect(merged.count == 80 && human.count == 80)
        #expect(close(Agreement.cohenKappa(human, merged), "kappa"))
        #expect(close(Agreement.cohenKappa(human, forward), "kappa_forward"))
        #expect(close(Agreement.cohenKappa(forward, backward), "kappa_orders"))
        #expect(close(PairwiseReport(comparisons).flipRate, "flips"))
    }

    @Test("unknown human verdicts are errors with their line") func humanVerdicts() throws {
        let error = #expect(throws: Problem.self) {
            try HumanVerdicts.read("A\nC\n", first: "A", second: "B", path: "people.txt")
        }
        #expect(error?.sentence == "people.txt, line 2: unknown verdict \"C\". Use A, B, or TIE.")
    }

    @Test("calibration chooses on one half and reports on the other") func calibration() throws {
        // People pass from 0.6; the judge is correct except for every tenth sample.
        var items: [JudgeCalibration.Item] = []
        for index in 0..<200 {
            let score = Double(index % 100) / 100
            items.append(
                JudgeCalibration.Item(
                    id: "\(index)", judge: score, passes: (score >= 0.6) != (index % 10 == 3)))
        }
        items.append(JudgeCalibration.Item(id: "unread", judge: nil, passes: true))
        let calibration = try #require(JudgeCalibration(items, seed: 3))
        #expect(calibration.chosenOn == 100 && calibration.reportedOn == 100 && calibration.unread == 1)
        #expect(abs(calibration.threshold - 0.6) < 0.05)
        let kappa = try #require(calibration.kappa)
        #expect(kappa > 0.6 && kappa < 0.95)
        #expect(
            calibration.bothPass + calibration.bothFail + calibration.judgeOnly + calibration.peopleOnly == 100)
        #expect(calibration.items.count == 201)
        let first = try #require(calibration.items.first)
        #expect((try #require(first.judge) >= calibration.threshold) != first.passes)
        #expect(JudgeCalibration(Array(items.prefix(3))) == nil)
        #expect(JudgeCalibration(items, seed: 3) == calibration)
    }

    @Test("few comparisons show no bias") func fewComparisons() {
        let first = PairwiseJudge.Comparison(forward: .first, backward: .first)
        let report = PairwiseReport([first, first])
        #expect(report.firstShare == 1 && !report.hasPositionBias)
        #expect((report.firstInterval?.lower ?? 1) < 0.5)
    }

    @Test("a judge without information has no threshold") func uninformativeJudge() throws {
        let items = (0..<8).map { JudgeCalibration.Item(id: "\($0)", judge: 0.5, passes: $0 % 2 == 0) }
        let found = try #require(JudgeCalibration(items))
        #expect(!found.tellsApart && found.isOfFew)
        #expect(found.sentences[0].hasPrefix("no threshold separates"))
        #expect(found.sentences[1] == "8 rated samples are too few to choose a threshold. Rate 60 or more.")
        let interval = try #require(found.agreementInterval)
        #expect(interval.upper - interval.lower > 0.5)
    }
}
