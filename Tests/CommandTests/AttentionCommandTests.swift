import Glibc
import JSON
import TestFixtures
import Testing

@Suite("orrery attention and orrery feature")
struct AttentionCommandTests {
    private let program: Program
    private let model = Program.root + "/sample-data/models/wanderer"
    private let hook = "blocks.1.hook_resid_post"

    init() throws {
        program = try Program()
        let text = (0..<40).map { "The moon \($0 % 7) sees the sun \($0 % 5) and the earth.\n" }.joined()
        File.write(text, to: program.home.file("text.txt"))
    }

    private func number(_ name: String, in text: String) throws -> Double {
        let document = try JSONDocument(parsing: text)
        return try #require(document.withRoot { $0.member(named: name)?.double })
    }

    @Test("contributions add up to the logit")
    func attribution() throws {
        for grain in ["components", "heads", "neurons"] {
            let said = try program.run("attention", "attribute", model, "-p", "The moon sees", "--by", grain, "--json")
            try #require(said.status == 0, "\(said.error)")
            let (sum, logit) = (try number("sum", in: said.output), try number("logit", in: said.output))
            #expect(abs(sum - logit) < 1e-3 * max(1, abs(logit)), "\(grain)")
        }
    }

    @Test("gradients report contributions of tokens and a completeness error")
    func gradients() throws {
        let said = try program.run(
            "attention", "gradients", model, "-p", "The moon sees", "--other", "The sun sees", "--steps", "20", "--json"
        )
        try #require(said.status == 0, "\(said.error)")
        #expect(try number("completeness_error", in: said.output) < 0.05)
    }

    @Test("ablation uses zeros, means, or another prompt of equal length")
    func ablation() throws {
        for more in [
            [], ["--kind", "mean", "--texts", "text.txt"], ["--kind", "resample", "--other", "The sun sees"],
        ] {
            let said = try program.run(["attention", "ablate", model, "-p", "The moon sees", "--json"] + more)
            try #require(said.status == 0, "\(said.error)")
            #expect(said.output.contains("\"complete\": true"))
        }
        #expect(try program.run("attention", "ablate", model, "-p", "The", "--kind", "mean").status == 64)
        let unequal = try program.run(
            "attention", "ablate", model, "-p", "The moon", "--kind", "resample", "--other", "The moon sees the sun")
        #expect(unequal.status == 1)
        #expect(unequal.sentences.last?.contains("of equal length") == true)
    }

    @Test("path patching accepts receivers of the model and rejects others")
    func paths() throws {
        let prompts = ["--clean", "The moon sees", "--corrupt", "The sun sees", "--answer", "earth", "--wrong", "sun"]
        let said = try program.run(["attention", "paths", model] + prompts + ["--to", "q:1.2", "mlp:1", "--json"])
        #expect(said.status == 0, "\(said.error)")
        #expect(try program.run(["attention", "paths", model] + prompts + ["--to", "q:7.0"]).status == 1)
        #expect(try program.run(["attention", "paths", model] + prompts + ["--to", "door"]).status == 64)
    }

    @Test("induction is scored on repeated tokens, and its absence is explained for other texts")
    func inductionOfText() throws {
        let repeated = try program.run("attention", "heads", model, "-p", "The moon sees the moon and the moon")
        #expect(repeated.status == 0 && repeated.output.contains("induction"), "\(repeated.error)")
        let once = try program.run("attention", "heads", model, "-p", "a")
        #expect(once.status == 0 && !once.output.contains("induction"))
        #expect(once.error.contains("no scores for induction and duplicate token"))
    }

    @Test("a period beyond the context is rejected with one that fits")
    func period() throws {
        let said = try program.run("attention", "heads", model, "--period", "4096")
        #expect(said.status == 1)
        #expect(said.sentences.last?.contains("Use --period") == true)
    }

    @Test("an export never overwrites a file and rejects other formats")
    func exports() throws {
        let patch = [
            "attention", "patch", model, "--clean", "The moon sees", "--corrupt", "The sun sees", "--answer", "earth",
            "--wrong", "sun", "--export",
        ]
        #expect(try program.run(patch + ["map.svg"]).status == 64)
        #expect(try program.run(patch + ["map.safetensors"]).status == 0)
        #expect(try program.run(patch + ["map.safetensors"]).status == 1)
        #expect(try program.run(patch + ["text.txt.csv"]).status == 0)
    }

    @Test("steering along a vector reports the divergence")
    func steering() throws {
        let made = try program.run(
            "feature", "vector", model, "--hook", hook, "--wanted", "The moon", "--unwanted", "The sun", "--norms",
            "-o",
            "v.safetensors")
        try #require(made.status == 0, "\(made.error)")
        let steer = ["attention", "steer", model, "-p", "The earth", "--vector", "v.safetensors", "--max-tokens", "4"]
        let still = try program.run(steer + ["--times", "0", "--json"])
        let pushed = try program.run(steer + ["--times", "4", "--json"])
        #expect(abs(try number("mean_divergence", in: still.output)) < 1e-6)
        #expect(try number("mean_divergence", in: pushed.output) > 0.01)
        #expect(try program.run(steer + ["--times", "much"]).status == 64)
    }

    @Test("a probe of texts with equal endings explains why there is no control")
    func probe() throws {
        let lines = (0..<12).flatMap {
            [#"{"text": "The moon \#($0).", "label": "moon"}"#, #"{"text": "A sun is \#($0).", "label": "sun"}"#]
        }
        File.write(lines.joined(separator: "\n"), to: program.home.file("labels.jsonl"))
        let said = try program.run("attention", "probe", model, "labels.jsonl", "--hook", hook)
        #expect(said.status == 0)
        #expect(said.sentences.last?.hasPrefix("no control: ") == true)
    }

    @Test("a dictionary is trained, indexed, searched, and steered")
    func dictionary() throws {
        let place = ["--workspace", program.home.file("w.orrery")]
        func feature(_ words: String...) throws -> Program.Result { try program.run(["feature"] + words + place) }
        let trained = try program.run(
            [
                "feature", "train", model, "--hook", hook, "--texts", "text.txt", "--features", "32", "--k", "2",
                "--steps", "20", "--batch", "32", "-o", "d", "--json",
            ] + place)
        try #require(trained.status == 0, "\(trained.error)")
        #expect(trained.output.split(separator: "\n").last?.contains("\"explained_variance\"") == true)
        #expect(access(program.home.file("d.steps"), F_OK) != 0)
        let again = try feature("train", model, "--hook", hook, "--texts", "text.txt", "--name", "d", "-o", "other")
        #expect(again.status == 1)
        #expect(again.sentences.last?.contains("already") == true)
        #expect(try feature("index", "d", "--texts", "text.txt").status == 0)
        #expect(try feature("search", "d", "--token", "moon", "-n", "3", "--json").status == 0)
        #expect(try feature("label", "d", "1", "a label \u{1b}]0;x").status == 0)
        let shown = try feature("show", "d", "1")
        #expect(shown.status == 0)
        #expect(!shown.output.contains("\u{1b}"))
        #expect(try feature("label", "d", "1", "--clear").status == 0)
        #expect(try feature("steer", "d", "-p", "The moon", "--off", "32").status == 1)
        #expect(try feature("steer", "d", "-p", "The moon", "--off", "1", "--from", "-1").status == 0)
        #expect(try feature("set", "d", "--hook", "blocks.0.hook_resid_pst").status == 1)
    }

    @Test("training rejects numbers out of range")
    func numbers() throws {
        let train = ["feature", "train", model, "--hook", hook, "--texts", "text.txt", "-o", "d"]
        for more in [["--steps", "9223372036854775807"], ["--batch", "0"], ["--k", "0"], ["--rate", "-1"]] {
            #expect(try program.run(train + more).status == 64, "\(more)")
        }
    }
}
