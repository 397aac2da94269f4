internal import Configuration

extension ConfigurationKey {
    private static let counts = 0...Int.max
    private static let positive = 1...Int.max
    /// One step per microsecond for eleven days; sums and products of this limit do not overflow.
    static let mostSteps = 1_000_000_000_000
    private static let widths = 1...1_048_576
    private static let amounts = 0...Double.greatestFiniteMagnitude
    private static let shares = 0.0...1.0

    /// Returns every key of a program with these optimizers, in the order of the explained configuration.
    static func all(_ rules: UpdateRules) -> [ConfigurationKey] {
        run + data + tokenizer + model + adapter + optimizer(rules) + schedule + training + keeping
    }

    /// Returns the keys by which a program with these optimizers reads a file.
    static func settings(_ rules: UpdateRules) -> SettingKeys {
        SettingKeys(all(rules).map(\.setting), list: "orrery train --defaults")
    }

    private static let run: [ConfigurationKey] = [
        .init(
            "run.name", .text, .text(""), "run name; empty: the file's name", shapesCurve: false),
        .init("run.seed", .integer(counts), .integer(0), "seed for weights, data order, and dropout"),
        .init(
            "run.threads", .integer(0...1024), .integer(0),
            "threads; 0: one per processor; results are the same for any number",
            shapesCurve: false),
    ]

    private static let data: [ConfigurationKey] = [
        .init(
            "data.kind", .choice(["text", "tokens", "arrays", "generated"]), .text("text"),
            "text: .txt, .jsonl; tokens: .npy, .bin; arrays: .npz, .safetensors; generated: by a recipe"),
        .init("data.train", .texts, .texts([]), "training files, relative to this file"),
        .init("data.validation", .texts, .texts([]), "validation files; empty: hold out a share of the training data"),
        .init(
            "data.validation_share", .number(0...0.9), .number(0.05),
            "share of documents, rows, or examples held out for validation"),
        .init(
            "data.separator", .text, .text("<|endoftext|>"),
            "separator of documents in .txt files; the token that ends a document"),
        .init("data.context", .integer(1...1_048_576), .integer(256), "tokens per sequence"),
        .init(
            "data.packing", .choice(["stream", "documents", "rows"]), .text("stream"),
            "stream: split anywhere; documents: split only long documents; rows: fixed rows of context tokens"),
        .init(
            "data.order", .choice(["shuffled", "written"]), .text("shuffled"),
            "shuffled: reshuffle every epoch; written: file order"),
        .init("data.boundaries", .flag, .flag(true), "learn to predict the token after the end of a document"),
        .init("data.prompts", .flag, .flag(false), "also learn to predict prompts"),
        .init("data.weights", .texts, .texts([]), "tokens: files of loss weights in hundredths, one byte per token"),
        .init("data.validation_weights", .texts, .texts([]), "tokens: weight files for the validation files"),
        .init(
            "data.vocabulary", .integer(0...16_777_216), .integer(0),
            "vocabulary size without a tokenizer; 0: from the data"),
        .init("data.inputs", .text, .text("x"), "arrays: name of the inputs, [examples, ...]"),
        .init(
            "data.targets", .text, .text("y"),
            "arrays: name of the classes [examples] or numbers [examples, outputs]"),
        .init(
            "data.task", .choice(["classification", "regression"]), .text("classification"), "arrays: task to learn"),
        .init("data.recipe", .text, .text(""), "generated: recipe file"),
        .init(
            "data.cache", .text, .text(""), "folder for cached tokens; empty: the checkpoint folder",
            shapesCurve: false),
    ]

    private static let tokenizer: [ConfigurationKey] = [
        .init(
            "data.tokenizer.path", .text, .text(""),
            "tokenizer.json or a model; empty: learn a vocabulary from the training text"),
        .init(
            "data.tokenizer.vocabulary", .integer(257...16_777_216), .integer(2_048),
            "vocabulary size to learn; 257: bytes and the separator"),
        .init("data.tokenizer.minimum_frequency", .integer(counts), .integer(2), "minimum count of a pair to merge it"),
        .init(
            "data.tokenizer.pattern", .choice(["gpt2", "llama3", "qwen2"]), .text("gpt2"),
            "pre-tokenizer pattern; qwen2: one token per digit"),
        .init(
            "data.tokenizer.special_tokens", .texts, .texts([]),
            "special tokens in addition to the separator, which is token 0"),
        .init("data.tokenizer.sample", .integer(1...65_536), .integer(64), "MB of text to learn the vocabulary from"),
    ]

    private static let model: [ConfigurationKey] = [
        .init(
            "model.kind", .choice(["transformer", "pretrained", "mlp", "conv"]), .text("transformer"),
            "pretrained: train all weights of an existing model, or an adapter"),
        .init("model.family", .text, .text("llama"), "transformer: block architecture"),
        .init("model.layers", .integer(1...1_024), .integer(4), "number of blocks"),
        .init("model.width", .integer(1...65_536), .integer(128), "width of the residual stream"),
        .init("model.heads", .integer(1...1_024), .integer(4), "attention heads"),
        .init("model.key_value_heads", .integer(0...1_024), .integer(0), "key and value heads; 0: same as heads"),
        .init("model.hidden", .integer(0...1_048_576), .integer(0), "MLP width; 0: default of the family"),
        .init("model.tied", .flag, .flag(true), "share the output matrix with the embedding"),
        .init("model.rope_theta", .number(1...1e12), .number(10_000), "base of the rotary frequencies"),
        .init("model.path", .text, .text(""), "pretrained: model folder or file"),
        .init(
            "model.sizes", .integers(widths), .integers([128]),
            "mlp: hidden layers; conv: hidden layers after the convolutions"),
        .init("model.channels", .integers(widths), .integers([16, 32]), "conv: channels of each 3 x 3 convolution"),
        .init(
            "model.image", .integers(widths), .integers([]), "conv: [channels, height, width]; empty: shape of the data"
        ),
        .init("model.activation", .choice(["relu", "gelu", "tanh"]), .text("relu"), "mlp, conv: activation function"),
    ]

    private static let adapter: [ConfigurationKey] = [
        .init(
            "adapter.kind", .choice(["none", "lora"]), .text("none"),
            "lora: train low-rank matrices and freeze the model's weights"),
        .init("adapter.rank", .integer(1...4_096), .integer(8), "rank of every adapter"),
        .init("adapter.alpha", .number(amounts), .number(16), "scale the adapter by alpha / rank"),
        .init("adapter.dropout", .number(0...0.99), .number(0), "dropout of the adapter's input"),
        .init("adapter.targets", .texts, .texts(["q", "v"]), "matrices to adapt"),
        .init("adapter.rank_stabilized", .flag, .flag(false), "scale by alpha / sqrt(rank) instead of alpha / rank"),
    ]

    /// Returns the keys of the optimizer section.
    ///
    /// Hyperparameters that the rules of this module share have one key each, with a default that suits language models.
    /// A hyperparameter of another rule adds a key that applies only to that rule, so that adding a rule does not change
    /// the digests of other runs.
    private static func optimizer(_ rules: UpdateRules) -> [ConfigurationKey] {
        func shared(_ name: String, _ kind: SettingKind, _ defaultValue: SettingValue) -> ConfigurationKey {
            .init("optimizer.\(name)", kind, defaultValue, rules.help(of: name))
        }
        var keys: [ConfigurationKey] = [
            .init(
                "optimizer.kind", .choice(rules.all.map(\.name)), .text(rules.defaultRule.name),
                rules.all.filter { !$0.help.isEmpty }.map { "\($0.name): \($0.help)" }.joined(separator: "; ")),
            .init("optimizer.rate", .number(amounts), .number(0.001), "peak learning rate"),
            shared("beta1", .number(0...0.999_999), .number(0.9)),
            shared("beta2", .number(0...0.999_999_99), .number(0.95)),
            shared("epsilon", .number(amounts), .number(1e-8)),
            shared("momentum", .number(0...0.999_999), .number(0.9)),
            shared("nesterov", .flag, .flag(true)),
            shared("weight_decay", .number(amounts), .number(0.1)),
            .init(
                "optimizer.decay", .choice(["matrices", "all"]), .text("matrices"),
                "weights to decay; matrices: no gains or biases"),
            shared("matrix_rate", .number(amounts), .number(0.02)),
        ]
        for rule in rules.all {
            for hyperparameter in rule.configurableHyperparameters
            where !keys.contains(where: { $0.setting.name == hyperparameter.key }) {
                let (kind, defaultValue): (SettingKind, SettingValue) =
                    switch hyperparameter.range {
                    case .fraction: (.number(0...0.999_999_99), .number(hyperparameter.defaultValue))
                    case .nonNegative: (.number(amounts), .number(hyperparameter.defaultValue))
                    case .flag: (.flag, .flag(hyperparameter.defaultValue != 0))
                    }
                keys.append(
                    .init(
                        hyperparameter.key, kind, defaultValue, rules.help(of: hyperparameter.name),
                        optimizer: rule.name))
            }
        }
        return keys
    }

    private static let schedule: [ConfigurationKey] = [
        .init(
            "schedule.kind", .choice(["constant", "linear", "cosine", "wsd", "one_cycle", "inverse_sqrt"]),
            .text("cosine"), "learning rate schedule after the warmup"),
        .init(
            "schedule.warmup", .integer(0...mostSteps), .integer(100),
            "warmup steps, at most a tenth of all steps; ignored by one_cycle"),
        .init("schedule.minimum", .number(shares), .number(0.1), "linear, cosine, wsd: final share of the peak rate"),
        .init("schedule.decay", .number(shares), .number(0.2), "wsd: share of the steps in which the rate decays"),
    ]

    private static let training: [ConfigurationKey] = [
        .init(
            "training.steps", .integer(0...mostSteps), .integer(0),
            "total steps; set steps, tokens, or epochs (default: 1000 steps)",
            shapesCurve: false),
        .init("training.tokens", .integer(counts), .integer(0), "total tokens", shapesCurve: false),
        .init("training.epochs", .number(amounts), .number(0), "passes over the data", shapesCurve: false),
        .init("training.batch", .integer(1...1_048_576), .integer(16), "sequences or examples per batch"),
        .init("training.accumulation", .integer(1...65_536), .integer(1), "batches per step"),
        .init("training.clip", .number(amounts), .number(1), "maximum gradient norm; 0: no clipping"),
        .init("training.ema", .number(0...0.999_999_9), .number(0), "decay of the weight average; 0: no average"),
        .init(
            "training.precision", .choice(["float32", "bfloat16"]), .text("float32"),
            "bfloat16: passes use rounded weights; steps use float32 weights"),
        .init("training.recompute", .flag, .flag(false), "recompute blocks in the backward pass to save memory"),
        .init("training.dropout", .number(0...0.99), .number(0), "dropout in the model's blocks"),
        .init(
            "training.divergence", .number(amounts), .number(4),
            "diverged if the loss exceeds this multiple of its running median; 0: only NaN or infinity"),
        .init(
            "training.patience", .integer(positive), .integer(10),
            "consecutive steps above the limit before the run diverges"),
        .init(
            "training.on_divergence", .choice(["stop", "halve"]), .text("stop"),
            "halve: resume from the last good state at half the rate"),
    ]

    private static let keeping: [ConfigurationKey] = [
        .init("evaluation.every", .integer(counts), .integer(250), "steps between evaluations; 0: never"),
        .init(
            "evaluation.batches", .integer(positive), .integer(20),
            "maximum number of validation batches, the same in every evaluation"),
        .init("evaluation.prompts", .texts, .texts([]), "prompts for samples", shapesCurve: false),
        .init("evaluation.tokens", .integer(1...65_536), .integer(64), "maximum tokens per sample", shapesCurve: false),
        .init(
            "evaluation.temperature", .number(0...100), .number(0), "sampling temperature; 0: greedy",
            shapesCurve: false),
        .init("evaluation.stop", .texts, .texts([]), "stop strings", shapesCurve: false),
        .init(
            "checkpoints.folder", .text, .text(""), "checkpoint folder; empty: NAME.run next to this file",
            shapesCurve: false),
        .init(
            "checkpoints.every", .integer(counts), .integer(0),
            "steps between checkpoints; 0: by time only", shapesCurve: false),
        .init(
            "checkpoints.seconds", .number(amounts), .number(300),
            "seconds between checkpoints; 0: by steps only", shapesCurve: false),
        .init(
            "checkpoints.keep", .integer(positive), .integer(3), "number of recent checkpoints to keep",
            shapesCurve: false),
        .init(
            "checkpoints.best", .flag, .flag(true),
            "also keep the checkpoint with the best validation loss", shapesCurve: false),
        .init("record.every", .integer(positive), .integer(1), "steps between records", shapesCurve: false),
        .init(
            "record.norms", .integer(counts), .integer(50),
            "steps between norms and update ratios per parameter; 0: never",
            shapesCurve: false),
    ]
}
