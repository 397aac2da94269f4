import EvalLogs
import Evals
import Hashing
import JSON
import Statistics
import System
import Testing

/// Gates: allowed, worse, and inconclusive.
struct EvalGateTests {
    @Test(
        "a three-point regression on 1,000 samples is reported with its actual certainty",
        arguments: [
            // z = 3.1: beyond chance, and beyond a point as well.
            (62, 32, "accuracy>=-0.01", EvalVerdict.Outcome.worse),
            // The same size with more changed samples: it may be less than two points.
            (62, 32, "accuracy>=-0.02", .cannotTell),
            (62, 32, "accuracy>=-0.05", .allowed),
            // Three points, but 300 samples changed: the interval is from -6.4 to 0.4.
            (165, 135, "accuracy>=-0.01", .cannotTell),
            (165, 135, "accuracy>=0", .cannotTell),
            (0, 0, "accuracy>=-0.01", .allowed),
            (0, 0, "accuracy>=0.01", .worse),
            (32, 62, "exact>=0", .allowed),
            (32, 62, "exact<=0", .worse),
        ])
    func certainty(broken: Int, fixed: Int, gate: String, outcome: EvalVerdict.Outcome) throws {
        let join = MadeRuns.turned(1000, broken: broken, fixed: fixed)
        let verdict = try EvalGate(gate).check(join)
        #expect(verdict.outcome == outcome, "\(verdict.sentence)")
        #expect(verdict.exitCode == [.allowed: 0, .cannotTell: 2, .worse: 3][outcome])
    }

    @Test("planted regressions are found as often as theory predicts") func plantedRegressions() throws {
        // The true loss is three points; 9.4 of 100 samples change. Against 0, the test finds it in 87 % of all runs.
        var random = SplitMix64(seed: 11)
        var (found, allowed, standardError) = (0, 0, 0.0)
        let runs = 300
        for _ in 0..<runs {
            let draws = (0..<1000).map { _ in random.nextUnit() }
            let a = draws.map { $0 < 0.062 ? 1.0 : $0 < 0.094 ? 0.0 : $0 < 0.8 ? 1.0 : 0.0 }
            let b = draws.map { $0 < 0.062 ? 0.0 : $0 < 0.094 ? 1.0 : $0 < 0.8 ? 1.0 : 0.0 }
            let diff = try EvalDiff(MadeRuns.join(a, b), measure: nil)
            standardError += (diff.total?.standardError ?? 0) / Double(runs)
            switch EvalVerdict(diff).outcome {
            case .worse: found += 1
            case .allowed: allowed += 1
            case .cannotTell: break
            }
        }
        let power = try #require(
            Power.achieved(effect: 0.03, standardError: (0.094 - 0.0009).squareRoot() / 1000.0.squareRoot()))
        let share = Double(found) / Double(runs)
        #expect(abs(share - power) < 4 * (power * (1 - power) / Double(runs)).squareRoot(), "\(share), theory \(power)")
        #expect(abs(standardError - 0.00965) < 0.0002)
        #expect(allowed == 0)
    }

    @Test("a gate with several rules is parsed, and errors have a place and a remedy") func parsing() throws {
        let gate = try EvalGate("acc,none >= -0.01, seconds<=1.5")
        #expect(gate.rules.map(\.measure) == ["acc,none", "seconds"])
        #expect(gate.rules.map(\.bound) == [-0.01, 1.5])
        #expect(gate.rules.map(\.text) == ["acc,none>=-0.01", "seconds<=1.5"])
        #expect(try EvalGate("seconds<=1,tokens<=-0").rules.map(\.text) == ["seconds<=1", "tokens<=0"])
        let verdict = try EvalGate("accuracy>=-0.5").check(MadeRuns.turned(1000, broken: 0, fixed: 0))
        #expect(verdict.words == "accuracy>=-0.5 on exact: allowed.")
        for (text, sentence) in [
            (
                "",
                "Gate \"\", character 1: expected a rule such as accuracy>=-0.01. Write name>=number or "
                    + "name<=number."
            ),
            (
                "accuracy",
                "Gate \"accuracy\", character 1: expected a rule such as accuracy>=-0.01. Write name>=number or "
                    + "name<=number."
            ),
            (
                "accuracy>-0.01",
                "Gate \"accuracy>-0.01\", character 9: unsupported comparison. Write >= or <=."
            ),
            ("accuracy=1", "Gate \"accuracy=1\", character 9: unsupported comparison. Write >= or <=."),
            (
                ">=1",
                "Gate \">=1\", character 1: the name before the comparison is missing. Write name>=number, such as "
                    + "accuracy>=-0.01."
            ),
            (
                "a>=-1%",
                "Gate \"a>=-1%\", character 4: numbers must not have a percent sign. Write -0.01 to allow a drop of one "
                    + "percentage point."
            ),
            (
                "a>=x",
                "Gate \"a>=x\", character 4: \"x\" is not a number. Write a limit for B - A, such as -0.01 to allow a "
                    + "drop of one percentage point."
            ),
            (
                "a>=1,",
                "Gate \"a>=1,\", character 5: expected a rule such as accuracy>=-0.01. Write name>=number or "
                    + "name<=number."
            ),
            (
                "a>=nan",
                "Gate \"a>=nan\", character 4: \"nan\" is not a number. Write a limit for B - A, such as -0.01 "
                    + "to allow a drop of one percentage point."
            ),
            ("a>", "Gate \"a>\", character 2: unsupported comparison. Write >= or <=."),
        ] {
            let error = #expect(throws: Problem.self) { try EvalGate(text) }
            #expect(error?.sentence == sentence)
        }
    }

    @Test("samples that failed in B count as lost") func lostSamples() throws {
        let a = MadeRuns.rows([Double](repeating: 1, count: 1000))
        let b = MadeRuns.rows((0..<1000).map { $0 < 100 ? .nan : 1 })
        let join = EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b)
        let verdict = try EvalGate("accuracy>=-0.01").check(join)
        #expect(verdict.outcome == .cannotTell)
        #expect(verdict.sentence.contains("B has no value for 100 of 1000 samples that have one in A"))
    }

    @Test("without a gate, the interval decides") func withoutGate() throws {
        func outcome(_ broken: Int, _ fixed: Int) throws -> EvalVerdict.Outcome {
            EvalVerdict(try EvalDiff(MadeRuns.turned(1000, broken: broken, fixed: fixed), measure: nil)).outcome
        }
        #expect(try outcome(62, 32) == .worse)
        #expect(try outcome(32, 62) == .allowed)
        #expect(try outcome(40, 40) == .cannotTell)
    }

    @Test("special characters in JUnit output are escaped") func escaping() throws {
        let evil = "</testcase>\"'&\u{1}\u{FFFE}]]>\n"
        var a = MadeRuns.rows([1, 1, 0, 1])
        var b = MadeRuns.rows([0, 1, 1, 1])
        a[0].id = evil
        b[0].id = evil
        var run = MadeRuns.run(evil)
        run.scores = [EvalScoreKind(evil)]
        let diff = try EvalDiff(EvalJoin(run, a, run, b), measure: nil)
        let text = EvalVerdict(diff).junit
        #expect(!text.contains("\u{1}") && !text.contains("\u{FFFE}") && !text.contains("]]>"))
        #expect(text.components(of: "<testcase ") == 1 && text.components(of: "</testcase>") == 1)
        #expect(text.contains("&lt;/testcase&gt;&quot;&apos;&amp;\u{FFFD}\u{FFFD}]]&gt;&#10;"))
        #expect(text.contains("errors=\"1\"") && text.contains("<error message="))
        let json = try JSONValue(json: EvalVerdict(diff).json())
        #expect(json["exit"]?.int == 2)
        #expect(json["findings"]?.elements?.first?["diff"]?["a"]?.string == evil)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
