import EvalLogs
import Evals
import Hashing
import JSON
import LanguageModels
import Statistics

/// Checks of detection: a judge that prefers the first position, and runs that are three points worse.
struct PlantedChecks: JSONRepresentable {
    private let report: PairwiseReport
    private let covered, called, power, falselyCalled: Double

    /// Creates the checks: 1,000 pairs of equal answers for the judge; 200 pairs of runs with 1,000 samples, and 200
    /// more that differ only by chance.
    init() throws {
        let judge = LeaningJudge(lean: 0.1)
        let room = ScoringRoom(judge: judge)
        report = PairwiseReport(
            (0..<1_000).map { number in
                PairwiseJudge().compare(question: "Question \(number)?", "An answer.", "Another one.", in: room)
            })
        let worse = try (0..<200).map { try Self.pair(effect: -0.03, seed: UInt64($0)) }
        let same = try (0..<200).map { try Self.pair(effect: 0, seed: UInt64(1_000 + $0)) }
        covered = Self.share(worse) { $0.total?.interval?.contains(-0.03) == true }
        called = Self.share(worse) { EvalVerdict($0).outcome == .worse }
        falselyCalled = Self.share(same) { EvalVerdict($0).outcome == .worse }
        // Worse means that the 95 % interval is wholly below 0: the power of one side of a two-sided test at 5 %.
        power =
            worse.compactMap { diff in
                diff.total?.standardError.flatMap { error in
                    Power.achieved(effect: 0.03, standardError: error, degrees: 999, alpha: 0.05)
                }
            }.reduce(0, +) / Double(worse.count)
    }

    private static func share(_ diffs: [EvalDiff], _ holds: (EvalDiff) -> Bool) -> Double {
        Double(diffs.count(where: holds)) / Double(diffs.count)
    }

    /// Returns two runs of 1,000 samples; one sample in ten changes by chance, and the expected difference is the
    /// effect.
    private static func pair(effect: Double, seed: UInt64) throws -> EvalDiff {
        var random = SplitMix64(seed: seed, stream: 4)
        var (a, b): ([EvalRow], [EvalRow]) = ([], [])
        for index in 0..<1_000 {
            let change = random.nextUnit()
            let base = random.nextUnit() < 0.7
            var (one, other) = (base, base)
            if change < 0.05 - effect / 2 {
                (one, other) = (true, false)
            } else if change < 0.1 {
                (one, other) = (false, true)
            }
            a.append(row(index, one))
            b.append(row(index, other))
        }
        let run = EvalRun(
            key: "1", name: "", task: "", model: "", format: "orrery", state: .done, completed: 1_000,
            scores: [EvalScoreKind("exact")])
        let join = EvalJoin(run, a, run, b)
        return try EvalDiff(join, measure: join.measure(named: nil))
    }

    private static func row(_ index: Int, _ passes: Bool) -> EvalRow {
        EvalRow(
            index: index, id: String(index), outcome: passes ? .passed : .failed, scores: [passes ? 1 : 0], input: "")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("bias") { json in
                json.object {
                    $0.member("estimate", (report.firstShare ?? .nan) - 0.5)
                    $0.member("lower", (report.firstInterval?.lower ?? .nan) - 0.5)
                    $0.member("upper", (report.firstInterval?.upper ?? .nan) - 0.5)
                    $0.member("flip_rate", ifPresent: report.flipRate)
                }
            }
            json.member("regression") { json in
                json.object {
                    $0.member("covered", covered)
                    $0.member("called", called)
                    $0.member("power", power)
                    $0.member("false", falselyCalled)
                }
            }
        }
    }
}

/// A random judge that chooses the first position with a probability of 0.5 plus `lean`.
private struct LeaningJudge: LanguageModel {
    let lean: Double
    var name: String { "leaning" }
    var provider: String { "scripted" }
    var capabilities: ModelCapabilities { ModelCapabilities() }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        // The request seeds the choice, so that runs are reproducible.
        let seed = FNV1a.hash("\(request)".utf8)
        var random = SplitMix64(seed: seed)
        let verdict = random.nextUnit() < 0.5 + lean ? "first" : "second"
        return ModelResponse(
            message: Message(.assistant, [.text("{\"reason\": \"at random\", \"verdict\": \"\(verdict)\"}")]),
            finish: .stop, usage: nil, model: name,
            secondsToFirstToken: nil, seconds: 0)
    }
}
