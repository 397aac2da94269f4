import EvalLogs
import Evals
import Glibc
import JSON
import Testing

@Test(
    "the exported files match those of lm-evaluation-harness field by field, and open as its logs",
    arguments: LMEvalGolden.names)
func filesAreTheHarnesss(name: String) throws {
    let golden = try LMEvalGolden(name)
    let folder = TextFiles.folder([:])
    // 2026-03-02 08:00:00.25
    let export = try LMEvalExport(golden.task, golden.run) { golden.solution($0) }
    let paths = try export.write(to: folder, time: 1_772_438_400_250_000_000)
    defer {
        for path in paths { unlink(path) }
        rmdir(folder + "/stub")
        rmdir(folder)
    }
    let stamp = "2026-03-02T08-00-00.250000"
    #expect(
        paths == [folder + "/stub/results_\(stamp).json", folder + "/stub/samples_\(golden.task.name)_\(stamp).jsonl"])

    let lines = try #require(TextFiles.text(paths[1])).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "" && lines.count == golden.rows.count + 1)
    let written = try lines.dropLast().map { try JSONValue(json: String($0)) }
    let key = { (row: JSONValue) in "\(row["filter"]?.string ?? "") \(row["doc_id"]?.int ?? -1)" }
    let mine = Dictionary(written.map { (key($0), $0) }) { $1 }
    #expect(mine.count == written.count)
    let found = golden.rows.flatMap { differences(mine[key($0)], $0, at: key($0)) }
    #expect(found.isEmpty, "\(found.prefix(5).joined(separator: "\n"))")

    let results = try JSONValue(json: try #require(TextFiles.text(paths[0])))
    for member in golden.results.members ?? [] {
        let found = differences(results["results"]?[golden.task.name]?[member.key], member.value, at: member.key)
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }
    #expect(results["n-samples"]?[golden.task.name]?["effective"]?.int == golden.task.samples.count)
    #expect(results["model_name"]?.string == "stub")

    let logs = try EvalLogFormats.open(paths[0])
    let log = try #require(logs.first)
    #expect(logs.count == 1 && log.run.format == "lm-eval" && log.run.task == golden.task.name)
    // A document is one sample, however many filters were applied.
    let documents = Set(golden.rows.map { $0["doc_id"] })
    #expect(try log.rows(0..<10_000) { false }.count == documents.count)
}
