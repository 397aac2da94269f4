import System
import Testing
import Training

@Suite("A training configuration")
struct TrainingConfigurationTests {
    private static let least = "[data]\ntrain = [\"a.txt\"]\n"

    @Test("says what it says, and sensible things elsewhere")
    func values() throws {
        let text = """
            [run]
            seed = 7
            [data]
            train = "corpus.jsonl"
            context = 64
            tokenizer = "/elsewhere/tokenizer.json"
            [optimizer]
            rate = 3
            [schedule]
            kind = "inverse_sqrt"
            """
        let configuration = try TrainingConfiguration(text, path: "runs/tiny.toml")
        #expect(configuration.run.name == "tiny" && configuration.run.seed == 7)
        #expect(configuration.data.train == ["runs/corpus.jsonl"])
        #expect(configuration.data.tokenizer.path == "/elsewhere/tokenizer.json")
        #expect(configuration.data.context == 64)
        #expect(configuration.optimizer.rate == 3)
        #expect(configuration.schedule.kind == .inverseSquareRoot)
        #expect(configuration.checkpoints.folder == "runs/tiny.run")
        #expect(configuration.training.batch == 16)
    }

    @Test(
        "that is wrong is answered with the line and the way out",
        arguments: [
            (
                "[data]\ntrain = [\"a\"]\ncontxt = 5",
                "x.toml, line 3: unknown key \"data.contxt\". Did you mean \"data.context\"?"
            ),
            ("[dta]\ntrain = [\"a\"]", "x.toml, line 1: unknown section [dta]. Did you mean \"data\"?"),
            (
                "[data]\ntrain = [\"a\"]\ncontext = \"long\"",
                "x.toml, line 3: data.context must be an integer from 1 to 1048576."
            ),
            (
                "[data]\ntrain = [\"a\"]\ncontext = 0",
                "x.toml, line 3: data.context must be an integer from 1 to 1048576."
            ),
            (
                "[data]\ntrain = [\"a\"]\nkind = \"txt\"",
                "x.toml, line 3: data.kind must be \"text\", \"tokens\", \"arrays\", or \"generated\". "
                    + "Did you mean \"text\"?"
            ),
            ("[data]\ncontext = 8", "x.toml: data.train is empty. Set it to one or more training files."),
            (
                "[data]\ntrain = [\"a\"]\n\n[training]\nsteps = 5\nepochs = 2.0",
                "x.toml, line 6: training.steps and training.epochs are mutually exclusive. Set only one."
            ),
            (
                "[data]\ntrain = [\"a\"]\n[model]\nwidth = 10\nheads = 4",
                "x.toml, line 5: model.width 10 is not divisible by 4 heads. Set model.heads to a divisor of the width."
            ),
            (
                "[data]\ntrain = [\"a\"]\n[model]\nkind = \"mlp\"",
                "x.toml, line 4: model.kind \"mlp\" learns from arrays. Set data.kind to \"arrays\"."
            ),
            (
                "[data]\ntrain = [\"a\"]\n[adapter]\nkind = \"lora\"",
                "x.toml, line 4: adapter.kind needs a pretrained model. Set model.kind to \"pretrained\"."
            ),
            ("[optimizer]\nrat = 1", "x.toml, line 2: unknown key \"optimizer.rat\". Did you mean \"optimizer.rate\"?"),
            (
                "[data.tokenizer]\nvocab = 3",
                "x.toml, line 2: unknown key \"data.tokenizer.vocab\". Did you mean \"data.tokenizer.vocabulary\"?"
            ),
            (
                "optimizer.kind = \"adamv\"",
                "x.toml, line 1: optimizer.kind must be \"sgd\", \"adam\", \"adamw\", \"lion\", or \"muon\". "
                    + "Did you mean \"adam\"?"
            ),
            ("training.steps = -1", "x.toml, line 1: training.steps must be an integer from 0 to 1000000000000."),
        ])
    func problems(text: String, sentence: String) {
        #expect { try TrainingConfiguration(text, path: "x.toml") } throws: { "\($0)" == sentence }
    }

    @Test(
        "every word that a choice offers is understood",
        arguments: [
            ("data.kind", "text tokens arrays generated"), ("data.packing", "stream rows documents"),
            ("data.order", "shuffled written"), ("data.task", "classification regression"),
            ("model.kind", "transformer pretrained mlp conv"), ("model.activation", "relu gelu tanh"),
            ("adapter.kind", "none lora"), ("optimizer.kind", "sgd adam adamw lion muon"),
            ("optimizer.decay", "matrices all"), ("schedule.kind", "constant linear cosine wsd one_cycle inverse_sqrt"),
            ("training.precision", "float32 bfloat16"), ("training.on_divergence", "stop halve"),
        ])
    func choices(key: String, words: String) {
        for word in words.split(separator: " ") {
            var told: String?
            do { _ = try TrainingConfiguration("\(key) = \"\(word)\"", path: "x.toml") } catch { told = "\(error)" }
            // Another key may be missing for it; the word itself is never what is wrong.
            #expect(!(told ?? "").contains("\"\(word)\""), "\(told ?? "")")
        }
    }

    @Test("that is no TOML names the line")
    func noTOML() throws {
        let error = try #require(throws: Problem.self) { try TrainingConfiguration("[data\n", path: "x.toml") }
        #expect(error.sentence.hasPrefix("x.toml, line 1: invalid TOML"))
    }

    @Test(
        "is changed from outside by key and value",
        arguments: [
            ("data.context=32", nil), ("data.kind=tokens", nil), ("run.name=a b", nil),
            ("training.bach=3", "--set: unknown key \"training.bach\". Did you mean \"training.batch\"?"),
            ("training.batch=many", "--set: training.batch must be an integer from 1 to 1048576, not many."),
            ("training.batch", "--set needs KEY=VALUE, not training.batch. Example: training.steps=100."),
        ] as [(String, String?)])
    func overrides(override: String, sentence: String?) throws {
        if let sentence {
            #expect {
                try TrainingConfiguration(Self.least, path: "x.toml", overriding: [override])
            } throws: { "\($0)" == sentence }
        } else {
            let plain = try TrainingConfiguration(Self.least, path: "x.toml")
            #expect(try TrainingConfiguration(Self.least, path: "x.toml", overriding: [override]) != plain)
        }
    }

    @Test("that is printed with every key is a configuration, and says what is said by default")
    func explained() throws {
        let text = TrainingConfiguration.explained
        let printed = try TrainingConfiguration(text, path: "x.toml", overriding: ["data.train=a.txt"])
        let plain = try TrainingConfiguration(Self.least, path: "x.toml")
        #expect(printed.settings == plain.settings)
    }

    @Test(
        "has a digest of what shapes the curve alone",
        arguments: [
            ("optimizer.rate=0.5", true), ("run.seed=3", true), ("training.accumulation=2", true),
            ("run.name=other", false), ("training.steps=9", false), ("checkpoints.keep=9", false),
            ("record.norms=0", false),
        ])
    func digest(override: String, isOther: Bool) throws {
        let plain = try TrainingConfiguration(Self.least, path: "x.toml")
        let other = try TrainingConfiguration(Self.least, path: "x.toml", overriding: [override])
        #expect((plain.digest != other.digest) == isOther)
    }
}
