import EvalLogs
import Evals
import JSON
import LanguageModels
import Testing

/// Output of lm-eval 0.4.13 for tasks of `Goldens/lm-eval` on the stub server; made by
/// `Benchmarks/peers/lm_eval_check.py goldens`.
struct LMEvalGolden {
    let task: EvalTask
    let results: JSONValue
    let rows: [JSONValue]

    static let names = [
        "orr_gen", "orr_mc", "orr_ppl", "orr_shots", "orr_shots_own", "orr_first", "orr_prefix", "orr_filters",
        "orr_ll",
        "orr_empty", "orr_multi", "orr_letters", "orr_gsm8k",
    ]
    static let folder = String(#filePath.dropLast("LMEval/LMEvalGoldenTests.swift".count)) + "Goldens/lm-eval/"

    init(_ name: String) throws {
        let text = try #require(TextFiles.text(Self.folder + name + ".golden.json"))
        let golden = try JSONValue(json: text)
        results = try #require(golden["results"])
        rows = try #require(golden["samples"]?.elements)
        let count = Set(rows.compactMap { $0["doc_id"]?.int }).count
        task = try #require(
            try LMEvalTask.load(path: Self.folder + name + ".yaml", LMEvalTask.Options(limit: count)).first)
    }

    /// Returns the server's answer as recorded in the rows.
    func solution(_ place: Int) -> Solution? {
        guard let row = rows.first(where: { $0["doc_id"]?.int == place }), let told = row["resps"]?.elements else {
            return nil
        }
        if case .generation = task.samples[place].request {
            return Solution(answers: told.first?.elements?.compactMap(\.string) ?? [])
        }
        let likelihoods = told.compactMap { answer -> Likelihood? in
            let first = answer.elements?.first
            guard let digits = first?.string ?? first?.elements?.first?.string, let sum = Double(digits) else {
                return nil
            }
            let token = Likelihood.Token(text: "", logProbability: sum, isGreedy: true)
            return Likelihood(
                logProbability: sum, isGreedy: first?.elements?.last?.string != "False", tokens: [token])
        }
        let count = max(1, task.samples[place].choices.count)
        return Solution(likelihoods: Array(likelihoods.prefix(count)), alone: Array(likelihoods.dropFirst(count)))
    }

    var run: EvalRun {
        EvalRun(key: "1", name: task.name, task: task.name, model: "stub", format: "orrery", state: .done)
    }
}

/// Returns differences of more than 10⁻¹² between two values, as sentences.
func differences(_ ours: JSONValue?, _ theirs: JSONValue, at place: String) -> [String] {
    switch (ours, theirs) {
    case (let ours?, _) where ours.double != nil && theirs.double != nil:
        let (a, b) = (ours.double ?? 0, theirs.double ?? 0)
        return abs(a - b) <= 1e-12 * max(1, abs(b)) ? [] : ["\(place): \(a), not \(b)"]
    case (.array(let ours)?, .array(let theirs)):
        guard ours.count == theirs.count else { return ["\(place): \(ours.count) elements, not \(theirs.count)"] }
        return zip(ours, theirs).enumerated().flatMap { differences($1.0, $1.1, at: place + "[\($0)]") }
    case (.object(let ours)?, .object(let theirs)):
        guard ours.map(\.key) == theirs.map(\.key) else {
            return ["\(place): the keys \(ours.map(\.key)), not \(theirs.map(\.key))"]
        }
        return zip(ours, theirs).flatMap { differences($0.value, $1.value, at: place + "." + $0.key) }
    default: return ours == theirs ? [] : ["\(place): \(String(describing: ours)), not \(theirs)"]
    }
}

@Test(
    "tasks of lm-evaluation-harness give its prompts, samples, and digests, field by field",
    arguments: LMEvalGolden.names)
func rowsAreTheHarnesss(name: String) throws {
    let golden = try LMEvalGolden(name)
    let ours = try LMEvalExport(golden.task, golden.run) { golden.solution($0) }.sampleRows()
    #expect(ours.count == golden.rows.count)
    let key = { (row: JSONValue) in "\(row["filter"]?.string ?? "") \(row["doc_id"]?.int ?? -1)" }
    let mine = Dictionary(ours.map { (key($0), $0) }) { $1 }
    let found = golden.rows.flatMap { differences(mine[key($0)], $0, at: key($0)) }
    #expect(found.isEmpty, "\(found.prefix(5).joined(separator: "\n"))")
}

@Test("metrics and standard errors match lm-evaluation-harness to 1e-12", arguments: LMEvalGolden.names)
func figuresAreTheHarnesss(name: String) throws {
    let golden = try LMEvalGolden(name)
    let export = try LMEvalExport(golden.task, golden.run) { golden.solution($0) }
    let results = export.results(export.sampleRows())["results"]?[name]
    for member in golden.results.members ?? [] {
        let found = differences(results?[member.key], member.value, at: member.key)
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }
}
