import Glibc
import JSON
import TestFixtures
import Testing

@Suite("orrery eval")
struct EvalCommandTests {
    let program: Program
    private static let samples = Program.root + "/sample-data"
    private static let model = samples + "/models/orrery-mini"
    private static let reading = samples + "/evals/reading.toml"
    private static let before = samples + "/evals/recorded/before.jsonl"
    private static let after = samples + "/evals/recorded/after.jsonl"

    init() throws { program = try Program() }

    private func run(_ arguments: String...) throws -> Program.Result { try program.run(["eval"] + arguments) }

    private func json(_ arguments: String...) throws -> JSONValue {
        let result = try program.run(["eval"] + arguments + ["--json"])
        try #require(result.status == 0, "\(result.error)")
        return try JSONValue(json: result.output)
    }

    private func expectRefusal(_ result: Program.Result, _ words: String...) {
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.sentences.count == 1, "\(result.error)")
        for word in words { #expect(result.error.contains(word), "\(result.error)") }
    }

    @Test("a run is listed, shown by slices, compared with another run, and resumed after an interruption")
    func story() throws {
        let first = try json("run", Self.reading, "--model", Self.model, "--limit", "12", "--name", "whole")
        #expect(first["completed"]?.int == 12)
        #expect(first["state"]?.string == "done")
        let short = try json(
            "run", Self.reading, "--model", Self.model, "--limit", "12", "--name", "short", "--param", "max_tokens=6")
        #expect(short["metrics"]?.elements?.first?["value"]?.double ?? 1 < 0.5)
        #expect(try json("list")["runs"]?.elements?.count == 2)
        #expect(try json("show", "whole", "--by", "kind")["slices"]?.elements?.isEmpty == false)
        let diff = try run("diff", "whole", "short", "--gate", "answer>=-0.02")
        #expect(diff.status == 3, "\(diff.output)\(diff.error)")
        #expect(diff.output.contains("worse"))
        let clusters = try json("clusters", "short")
        #expect((clusters["failed"]?.int ?? 0) > 6)
        // A budget interrupts a run; resuming runs only the remaining samples.
        let cut = try run(
            "run", Self.reading, "--model", Self.model, "--limit", "12", "--name", "cut", "--max-requests", "5",
            "--no-cache")
        #expect(cut.status == 1)
        #expect(cut.error.contains("budget"), "\(cut.error)")
        let rest = try json("resume", "cut", "--max-requests", "100")
        #expect(rest["completed"]?.int == 12)
        let metrics = { (name: String) in try json("show", name)["run"]?["metrics"] }
        #expect(try metrics("cut") == metrics("whole"))
    }

    @Test("a sample is saved as a trace only once, and other commands find the trace")
    func trace() throws {
        _ = try json("run", Self.reading, "--model", Self.model, "--limit", "2", "--name", "two")
        let trace = try json("trace", "two", "read-001")["trace"]?.string ?? ""
        #expect(trace.utf8.count == 32)
        #expect(try json("trace", "two", "read-001")["trace"]?.string == trace)
        let shown = try program.run(["trace", "show", String(trace.prefix(12))])
        #expect(shown.status == 0, "\(shown.error)")
    }

    @Test("the recorded runs open in place, and the planted regression appears in its slice")
    func recorded() throws {
        #expect(try json("list", Self.before, Self.after)["runs"]?.elements?.count == 2)
        let diff = try run("diff", Self.before, Self.after, "--limit", "3")
        // Scores are formatted as in the panel.
        #expect(diff.output.contains(" 1  0  Whom does one call"), "\(diff.output)")
        // The run's own mean over 300 samples is 0.703.
        let means = "0.702 in A, 0.708 in B, 295 samples in 25 clusters (5 left out: no value in one run)"
        #expect(diff.output.contains(means), "\(diff.output)")
        let line = diff.output.split(separator: "\n").first { $0.contains("negation") } ?? ""
        #expect(line.contains("-0.260") && line.contains("McNemar's test, clustered"), "\(diff.output)")
        // The overall result is undecided, and no other slice differs.
        #expect(diff.status == 2 && diff.output.contains("which may be chance"), "\(diff.output)")
        let sample = try json("show", Self.after, "--sample", "lark-11")
        #expect(sample["id"]?.string == "lark-11")
    }

    @Test("an open log of the workspace is found by the name that eval list prints")
    func openLogs() throws {
        #expect(try program.run("show", "evals").status == 0)
        let names = try json("list")["runs"]?.elements?.compactMap { $0["name"]?.string } ?? []
        #expect(names == ["before", "after"])
        for name in names {
            #expect(try json("show", name)["run"]?["name"]?.string == name)
            #expect(try run("show", name).output == run("show", name == "before" ? Self.before : Self.after).output)
        }
        #expect(try json("show", "aft")["run"]?["name"]?.string == "after")
        #expect(try run("diff", "before", "after").output == run("diff", Self.before, Self.after).output)
        expectRefusal(try run("show", "afterwards"), "run")
        // Commands that change runs reject logs and print the path of the log.
        expectRefusal(try run("pause", "after"), "after is an open log", "recorded/after.jsonl")
        // A run of the workspace takes precedence over a log with the same name.
        _ = try json("run", Self.reading, "--model", Self.model, "--limit", "1", "--name", "after")
        #expect(try json("show", "after")["run"]?["task"]?.string == "reading")
    }

    @Test("figures in the heads of the recorded runs match recomputed figures", arguments: [before, after])
    func recordedFigures(path: String) throws {
        let told = try #require(try json("list", path)["runs"]?.elements?.first?["metrics"]?.elements?.first)
        let computed = try #require(try json("compare", Self.before, Self.after)["runs"]?.elements)
        let run = try #require(computed.first { path.hasSuffix("/\($0["name"]?.string ?? "").jsonl") })
        for (name, other) in [
            ("value", "mean"), ("standard_error", "standard_error"), ("lower", "lower"), ("upper", "upper"),
        ] {
            let (figure, again) = (try #require(told[name]?.double), try #require(run[other]?.double))
            #expect(abs(figure - again) < 1e-9, "\(name): \(figure) is recorded, \(again) computed")
        }
    }

    @Test("cells of a comparison are the row minus the column")
    func compare() throws {
        let result = try run("compare", Self.before, Self.after)
        let lines = result.output.split(separator: "\n")
        let found = try json("compare", Self.before, Self.after)["differences"]?.elements?.first?.elements?.last
        let difference = try #require(found?["difference"]?.double)
        let gain = (found?["mean_b"]?.double ?? 0) - (found?["mean_a"]?.double ?? 0)
        #expect(difference > 0 && abs(difference - gain) < 1e-12)
        #expect(lines.contains { $0.contains("1 before") && $0.contains("-0.0067") }, "\(result.output)")
        #expect(lines.contains { $0.contains("2 after") && $0.contains(" 0.0067") }, "\(result.output)")
    }

    @Test("watch reports clusters and samples, and figures are short")
    func figures() throws {
        let watched = try run("watch", Self.before, Self.after)
        #expect(watched.output.contains("25 clusters (295 samples)"), "\(watched.output)\(watched.error)")
        #expect(try run("power", "--effect", "0.02", "--variance", "0.1").output == "samples 1,963\n")
        let seconds = try run("diff", Self.before, Self.after, "--score", "seconds", "--limit", "0")
        #expect(!seconds.output.contains("e-") && seconds.output.contains(", p .0"), "\(seconds.output)")
        let same = try run("diff", Self.before, Self.before)
        #expect(same.output.hasPrefix("It cannot be told: A and B are the same run."), "\(same.output)")
    }

    @Test("recorded sample logs are found by name with and without a workspace")
    func samplesByName() throws {
        let fresh = try run("diff", "before", "after", "--limit", "0")
        #expect(fresh.output.contains("0.702 in A, 0.708 in B"), "\(fresh.output)\(fresh.error)")
        #expect(fresh.error.contains("sample-data/evals/recorded/before.jsonl"), "\(fresh.error)")
        _ = try json("run", Self.reading, "--model", Self.model, "--limit", "2", "--name", "own")
        let used = try run("diff", "before", "after", "--limit", "0")
        #expect(used.output == fresh.output && used.status == fresh.status, "\(used.error)")
    }

    @Test("an exported run is read back with the same samples")
    func export() throws {
        _ = try json("run", Self.reading, "--model", Self.model, "--limit", "3", "--name", "three")
        let path = program.home.file("three.jsonl")
        let written = try run("export", "three", path)
        #expect(written.status == 0, "\(written.error)")
        let again = try run("diff", "three", path)
        #expect(again.output.contains("broken 0, fixed 0"), "\(again.output)\(again.error)")
        expectRefusal(try run("export", "three", path), "three.jsonl")
    }

    @Test("ratings are stored, and raters are compared")
    func ratings() throws {
        for (rater, verdicts) in [("ada", ["pass", "fail", "4"]), ("bob", ["pass", "pass", "2"])] {
            for (sample, verdict) in zip(["lark-11", "plover-10", "plover-12"], verdicts) {
                let said = try run("rate", Self.after, sample, verdict, "--rater", rater)
                #expect(said.status == 0, "\(said.error)")
            }
        }
        let pairs = try json("agreement", Self.after)["pairs"]?.elements ?? []
        #expect(
            pairs.contains { $0["one"]?.string == "ada" && $0["other"]?.string == "bob" && $0["samples"]?.int == 3 })
    }

    @Test(
        "invalid input is reported in one sentence",
        arguments: [
            (["run", "nowhere.toml"], "nowhere.toml"),
            (["show", "never"], "never"),
            (["diff", samples + "/README.md", before], "README.md"),
            (["run", reading, "--model", model, "--only", "missing"], "no sample missing"),
            (["explain", "nothing-at-all"], "nothing-at-all"),
            (["show", before, "--by", "weather"], "weather"),
            (["fairness", before, "--by", "language", "--positive", "i"], "answered with a class that is a target"),
        ])
    func wrongUse(arguments: [String], word: String) throws {
        let result = try program.run(["eval"] + arguments)
        #expect(result.status == 1, "\(result.output)\(result.error)")
        #expect(result.error.contains(word), "\(result.error)")
        #expect(result.sentences.count == 1, "\(result.error)")
    }
}
