import Glibc
import JSON
import TestFixtures
import Testing

@Suite("orrery feature")
struct FeatureCommandTests {
    let program: Program
    private static let samples = Program.root + "/sample-data"
    private static let dictionary = samples + "/dictionaries/orrery-mini-features"
    private static let model = samples + "/models/orrery-mini"

    init() throws { program = try Program() }

    private func run(_ arguments: String...) throws -> Program.Result { try program.run(["feature"] + arguments) }

    private func output(_ arguments: String...) throws -> String {
        let result = try program.run(["feature"] + arguments)
        try #require(result.status == 0, "\(result.error)")
        return result.output
    }

    /// Returns the output of a command with `--json`.
    private func json(_ arguments: String...) throws -> JSONDocument {
        let result = try program.run(["feature"] + arguments + ["--json"])
        try #require(result.status == 0, "\(result.error)")
        return try JSONDocument(parsing: result.output)
    }

    private func add() throws {
        let added = try run("add", Self.dictionary, "--name", "mini", "--model", Self.model)
        try #require(added.status == 0, "\(added.error)")
        #expect(added.output.contains("1,024 features of width 192, topk, at blocks.3.hook_resid_post"))
    }

    /// Indexes two stories, one of which contains the sentence of feature 32.
    private func index() throws {
        try add()
        try index(of: "mini")
    }

    private func index(of name: String) throws {
        File.write(
            """
            Story: Dunullon was a ferryman in Pirormarsh. She liked quiet nights and clear skies. Snow lay on the hill.
            <|endoftext|>
            Story: One winter a printer named Torumos lived in Dunoholm. So Torumos learned that friends see more than one \
            pair of eyes.
            """, to: program.home.file("stories.txt"))
        let indexed = try run("index", name, "--texts", "stories.txt")
        try #require(indexed.status == 0, "\(indexed.error)")
        #expect(indexed.error.contains("orrery feature search \(name) --prompt TEXT"))
    }

    /// Expects one sentence on standard error and no output.
    private func expectRefusal(_ result: Program.Result, _ words: String...) {
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.sentences.count == 1, "\(result.error)")
        #expect(result.error.hasPrefix("orrery: "))
        for word in words { #expect(result.error.contains(word), "\(result.error)") }
    }

    @Test("the sample dictionary is added, listed, labeled, and found by its labels")
    func labels() throws {
        try add()
        try json("list").withRoot { root in
            let first = root["dictionaries"]?.elements.first { _ in true }
            #expect(first?["name"]?.string == "mini")
            #expect(first?["features"]?.int == 1024)
        }
        #expect(try output("import", "mini", Self.dictionary + "/labels.json").contains("4 labels"))
        try json("search", "mini", "--label", "quiet nights").withRoot { root in
            #expect(root["features"]?.elements.compactMap { $0["feature"]?.int } == [32])
        }
        _ = try output("label", "mini", "7", "a word of my own")
        try json("search", "mini", "--label", "own word").withRoot { root in
            #expect(root["features"]?.elements.compactMap { $0["feature"]?.int } == [7])
        }
    }

    @Test("the included dictionary is found by name in a new workspace")
    func installed() throws {
        let environment = ["ORRERY_DATA_DIR": Program.root]
        let name = "orrery-mini-features"
        func run(_ arguments: String...) throws -> Program.Result {
            try program.run(["feature"] + arguments, environment: environment)
        }
        let none = try run("list")
        #expect(none.output.contains("no dictionaries yet") && none.error.contains(name))
        let found = try run("search", name, "--label", "quiet nights")
        #expect(found.status == 0 && found.output.contains("32"), "\(found.error)")
        #expect(
            found.error.contains("added \(name), which comes with the program")
                && found.error.contains("feature steer \(name)"))
        let listed = try run("list")
        #expect(listed.output.contains(name) && !listed.error.contains(name))
        // The model is found by the name in the dictionary's files.
        let steered = try run("steer", name, "--set", "32=9", "-p", "Story: Korintha was a smith.", "--max-tokens", "4")
        #expect(steered.status == 0 && !steered.error.contains("comes with"), "\(steered.error)")
        #expect(try run("delete", name).status == 0)
        #expect(try run("list").output.contains("no dictionaries yet"))
    }

    @Test("each step suggests the next, and sort orders that need an index fall back")
    func steps() throws {
        let added = try run("add", Self.dictionary, "--name", "mini", "--model", Self.model)
        #expect(added.output.contains("; 4 labels"))
        #expect(added.error.contains("orrery feature index mini --texts FILE"))
        let shown = try run("show", "mini", "--limit", "2")
        #expect(shown.output.contains("a birthday"), "labels come first if meaning is unknown")
        #expect(shown.error.contains("by label: meaning is unknown without an index"))
        #expect(shown.error.contains("orrery feature index mini --texts FILE"))
        let dense = try run("show", "mini", "--limit", "2", "--by", "density")
        #expect(dense.error.contains("by label: density is unknown without an index"))
        let shares = try run("search", "mini", "--prompt", "Story: Mira had a lamp.", "--by", "share")
        #expect(shares.status == 0 && shares.error.contains("by activation: share is unknown"))
        expectRefusal(try run("search", "mini", "--token", " lamp"), "orrery feature index mini --texts FILE")
        try index(of: "mini")
        expectRefusal(try run("steer", Self.dictionary, "--set", "32=9", "-p", "x"), "orrery feature add")
    }

    @Test("a feature that was never active on the indexed texts is beyond them and comes last by share")
    func beyond() throws {
        try index()
        let found = try run(
            "search", "mini", "--prompt", "Question: What color is the flag?", "--by", "share", "-n", "99")
        #expect(found.output.contains("beyond") && !found.output.contains("e+"))
        #expect(found.error.contains("never active on the indexed texts"))
        let rows = found.output.split(separator: "\n").dropFirst()
        let first = try #require(rows.firstIndex { $0.contains("beyond") })
        #expect(rows[first...].allSatisfy { $0.contains("beyond") })
        try json("search", "mini", "--prompt", "Question: What color is the flag?", "--by", "share").withRoot { root in
            #expect(root["features"]?.elements.allSatisfy { ($0["score"]?.double ?? 0) < 1000 } == true)
        }
    }

    @Test("steer reports changes without effect and values above the maximum")
    func silence() throws {
        try index()
        let prompt = "Question: What color is the flag?"
        let scaled = try run("steer", "mini", "--scale", "32=8", "-p", prompt, "--max-tokens", "4")
        #expect(
            scaled.error.contains(
                "feature 32 is never active on this text, and 8 × 0 is 0. To activate it, use --set 32=VALUE"))
        let off = try run("steer", "mini", "--off", "32", "-p", prompt, "--max-tokens", "4")
        #expect(off.error.contains("--off changes nothing"))
        let held = try run("steer", "mini", "--set", "32=2x", "-p", prompt, "--max-tokens", "4")
        #expect(held.error.contains("above every value in the index") && !held.error.contains("never active"))
    }

    @Test("an index lists examples of a feature and finds it by token and text")
    func searches() throws {
        try index()
        try json("show", "mini", "32").withRoot { root in
            #expect(root["feature"]?.int == 32)
            #expect((root["count"]?.int ?? 0) > 0)
        }
        #expect(try output("show", "mini", "32", "--examples", "1").contains("« nights»"))
        func found(_ arguments: String...) throws -> [Int] {
            let result = try program.run(["feature", "search", "mini", "--limit", "1000", "--json"] + arguments)
            try #require(result.status == 0, "\(result.error)")
            let document = try JSONDocument(parsing: result.output)
            var features: [Int] = []
            try document.withRoot { root in
                let rows = try #require(root["features"])
                features = rows.elements.compactMap { $0["feature"]?.int.map { Int($0) } }
            }
            return features
        }
        #expect(try found("--token", " nights").contains(32))
        #expect(try found("--prompt", "Story: She liked quiet nights").contains(32))
        #expect(try !found("--prompt", "Question: What color is the flag?").contains(32))
    }

    @Test("holding a feature high generates its sentence, and a scale of 1 changes nothing")
    func steers() throws {
        try add()
        let prompt = "Story: High on a hill in Iskebrook lived Nimara, a baker."
        let held = try json("steer", "mini", "--set", "32=9", "-p", prompt, "--max-tokens", "24")
        held.withRoot { root in
            #expect(root["changed"]?.string?.contains("quiet nights") == true)
            #expect(root["untouched"]?.string?.contains("quiet nights") == false)
            #expect((root["mean_divergence"]?.double ?? 0) > 0.1)
        }
        try json("steer", "mini", "--scale", "32=1", "-p", prompt, "--max-tokens", "8").withRoot { root in
            #expect(root["changed"]?.string == root["untouched"]?.string)
            #expect((root["mean_divergence"]?.double ?? 1) < 1e-6)
        }
    }

    @Test("a score counts matching generations, compared with a control of equal length")
    func scores() throws {
        try add()
        File.write(
            """
            {"prompt": "Story: High on a hill in Iskebrook lived Nimara, a baker."}
            {"text": "Story: Korintha was a smith in Belulhaven."}
            """, to: program.home.file("prompts.jsonl"))
        let arguments = [
            "feature", "score", "mini", "--feature", "32", "--value", "9", "--prompts", "prompts.jsonl", "--expect",
            "quiet nights", "--json",
        ]
        let score = try program.run(arguments)
        try #require(score.status == 0, "\(score.error)")
        try JSONDocument(parsing: score.output).withRoot { root in
            #expect(root["steered"]?["found"]?.int == 2)
            #expect(root["steered"]?["of"]?.int == 2)
            #expect(root["untouched"]?["found"]?.int == 0)
            #expect(root["control"]?["found"]?.int == 0)
            #expect((root["control"]?["kl_per_token"]?.double ?? 0) > 0)
        }
        #expect(try program.run(arguments).output == score.output, "the control is seeded")
    }

    @Test("an exported dictionary behaves the same, and its list is a table")
    func exports() throws {
        try add()
        _ = try output("export", "mini", "-o", "copy")
        #expect(try output("add", "copy", "--name", "copy", "--model", Self.model).contains("1,024 features"))
        let prompt = "Story: Korintha was a smith in Belulhaven."
        #expect(
            try output("steer", "copy", "--set", "636=7", "-p", prompt, "--max-tokens", "8")
                == output("steer", "mini", "--set", "636=7", "-p", prompt, "--max-tokens", "8"))
        _ = try output("export", "mini", "-o", "list.csv")
        #expect(File.text(program.home.file("list.csv"))?.split(separator: "\n").count == 1025)
    }

    @Test("an unknown hook is rejected with similar names")
    func unknownHook() throws {
        let result = try run(
            "train", Self.model, "--hook", "blocks.3.hook_resid_pst", "--texts", Self.model + "/MODEL_CARD.md", "-o",
            "new")
        expectRefusal(result, "blocks.3.hook_resid_pst", "blocks.3.hook_resid_post")
        #expect(access(program.home.file("new"), F_OK) != 0)
    }

    @Test("a dictionary with the wrong width is rejected when added and when used")
    func otherWidth() throws {
        let wanderer = Self.samples + "/models/wanderer"
        expectRefusal(
            try run(
                "add", Self.dictionary, "--name", "wide", "--hook", "blocks.0.hook_resid_post", "--model", wanderer),
            "192", "blocks.0.hook_resid_post")
        _ = try output("add", Self.dictionary, "--name", "wide", "--hook", "blocks.0.hook_resid_post")
        expectRefusal(
            try run("steer", "wide", "--set", "32=9", "-p", "once", "--model", wanderer), "192",
            "blocks.0.hook_resid_post")
    }

    @Test("truncated weights are rejected")
    func truncated() throws {
        mkdir(program.home.file("cut"), 0o700)
        File.write(try #require(File.text(Self.dictionary + "/cfg.json")), to: program.home.file("cut/cfg.json"))
        let whole = try #require(File.bytes(Self.dictionary + "/sae_weights.safetensors"))
        File.write(Array(whole.prefix(100_000)), to: program.home.file("cut/sae_weights.safetensors"))
        expectRefusal(try run("add", "cut"), "sae_weights.safetensors", "ends")
    }

    @Test("invalid features, values, and prompts are rejected")
    func badInput() throws {
        try add()
        File.write("Story:", to: program.home.file("one.txt"))
        File.write("{\"question\": 1}\n", to: program.home.file("odd.jsonl"))
        File.write("\n", to: program.home.file("none.txt"))
        expectRefusal(try run("show", "mini", "1024"), "1024", "0 to 1023")
        expectRefusal(try run("steer", "mini", "--set", "1024=3", "-p", "Story:"), "1024", "0 to 1023")
        expectRefusal(try run("show", "minj"), "minj", "mini")
        func score(_ feature: String, _ prompts: String, _ expected: String) throws -> Program.Result {
            try run(
                "score", "mini", "--feature", feature, "--value", "3", "--prompts", prompts, "--expect", expected)
        }
        expectRefusal(try score("1024", "one.txt", "a"), "1024", "0 to 1023")
        expectRefusal(try score("3", "one.txt", "(a"), "(a", "regular expression")
        expectRefusal(try score("3", "odd.jsonl", "a"), "odd.jsonl, line 1", "prompt")
        expectRefusal(try score("3", "none.txt", "a"), "none.txt", "no prompt")
        expectRefusal(try score("3", "missing.txt", "a"), "missing.txt")
    }
}
