import EvalLogs
import Evals
import JSON
import System
import Testing

/// Groups of tasks, compared with lm-eval 0.4.13 on the same figures (`Goldens/lm-eval/groups.py`).
struct LMEvalGroupTests {
    private static func group(_ list: String) throws -> LMEvalGroup {
        let folder = TextFiles.folder([
            "all.yaml":
                "group: all\ngroup_alias: All\ntask: [one, two, three]\naggregate_metric_list: \(list)\n"
                + "metadata: {version: 2.5}\n"
        ])
        return try #require(try LMEvalGroup(path: folder + "/all.yaml"))
    }

    /// Returns the results of a task as in its own file.
    private static func file(_ name: String, _ figures: JSONValue) -> JSONValue {
        func only(_ value: JSONValue) -> JSONValue { .object([.init(key: name, value: value)]) }
        return .object([
            .init(key: "results", value: only(figures)), .init(key: "group_subtasks", value: .object([])),
            .init(key: "versions", value: only(.integer(1))), .init(key: "n-shot", value: only(.integer(0))),
            .init(key: "higher_is_better", value: only(.object([.init(key: "acc", value: .bool(name != "two"))]))),
        ])
    }

    @Test("figures of groups match lm-evaluation-harness") func figures() throws {
        let text = try #require(TextFiles.text(LMEvalGolden.folder + "groups.golden.json"))
        let golden = try JSONValue(json: text)
        let tasks = try #require(golden["tasks"]?.members)
        let groups = try #require(golden["groups"]?.elements)
        #expect(tasks.count == 3 && groups.count == 4)
        for expected in groups {
            let group = try Self.group(try #require(expected["aggregate_metric_list"]).json())
            let results = group.results(tasks.map { Self.file($0.key, $0.value) })
            let wanted = try #require(expected["figures"])
            let ours = try #require(results["results"]?["all"])
            #expect(differences(ours, wanted, at: "results") == [])
            #expect(differences(wanted, ours, at: "results") == [])
            #expect(results["groups"]?["all"] == results["results"]?["all"])
            #expect(results["group_subtasks"]?["all"]?.elements == ["one", "two", "three"].map { .string($0) })
            #expect(results["versions"]?["all"] == expected["version"])
            #expect(results["n-shot"]?["all"] == .integer(0))
            #expect(results["higher_is_better"]?["all"]?["acc"] == .null)
            #expect(results["results"]?.members?.map(\.key) == ["one", "two", "three", "all"])
        }
    }

    @Test("figures from runs match figures from files") func runs() throws {
        let group = try Self.group("[{metric: acc}]")
        func run(_ name: String, _ value: Double, _ error: Double, _ count: Int) -> EvalRun {
            EvalRun(
                key: name, name: name, task: name, model: "m", format: "orrery", state: .done,
                metrics: [
                    EvalMetric(score: "acc,none", name: "mean", value: value, standardError: error, count: count)
                ])
        }
        let metric = try #require(
            group.metrics(of: [run("one", 0.5, 0.1, 26), run("two", 1, 0, 74)]).first)
        #expect(metric.value == 0.87 && metric.count == 100 && metric.title(among: [metric]) == "acc")
        // sqrt((25 · 26 · 0.01 + 0) / 98 / 100)
        #expect(abs((metric.standardError ?? 0) - (6.5 / 98 / 100).squareRoot()) < 1e-15)
    }

    @Test(
        "unsupported keys of a group are errors with their line",
        arguments: [
            ("task: [a]\naggregate_metric_list: [{metric: acc, aggregation: median}]\n", 3, "only `mean`"),
            ("task: [a]\naggregate_metric_list: [{metric: acc, weights: 2}]\n", 3, "unknown key `weights`"),
            ("task: [a]\naggregate_metric_list: [{weight_by_size: true}]\n", 3, "with a `metric`"),
            ("task:\n- group: b\n  task: [c]\n", 3, "nested groups"),
            ("task: [a]\nnum_fewshot: 2\n", 3, "unknown key `num_fewshot`"),
        ])
    func refused(text: String, line: Int, words: String) throws {
        let folder = TextFiles.folder(["g.yaml": "group: g\n" + text, "t.yaml": "task: t\ndataset_path: json\n"])
        let error = try #require(throws: Problem.self) { try LMEvalGroup(path: folder + "/g.yaml") }
        #expect(error.subject.hasSuffix(", line \(line)") && error.sentence.contains(words), "\(error.sentence)")
        #expect(try LMEvalGroup(path: folder + "/t.yaml") == nil)
    }
}
