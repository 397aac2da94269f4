extension ConfigurationKey {
    private static let counts = 0...Int.max
    private static let positive = 1...Int.max
    /// A step a microsecond for eleven days; sums and products of so many overflow nothing.
    static let mostSteps = 1_000_000_000_000
    private static let widths = 1...1_048_576
    private static let amounts = 0...Double.greatestFiniteMagnitude
    private static let shares = 0.0...1.0

    /// Every key, in the order in which they are explained.
    static let all: [ConfigurationKey] = run + data + tokenizer + model + adapter + optimizer + keeping

    private static let run: [ConfigurationKey] = [
        .init(
            "run.name", .text, .text(""), "what the run is called; empty: the file's name", shapesCurve: false),
        .init("run.seed", .integer(counts), .integer(0), "of weights, order of the data, dropout"),
        .init(
            "run.threads", .integer(0...1024), .integer(0), "0: every processor; the numbers do not depend on it",
            shapesCurve: false),
    ]

    private static let data: [ConfigurationKey] = [
        .init(
            "data.kind", .choice(["text", "tokens", "arrays", "generated"]), .text("text"),
            "text: .txt, .jsonl; tokens: .npy, .bin; arrays: .npz, .safetensors; generated: by a recipe"),
        .init("data.train", .texts, .texts([]), "files, relative to this one"),
        .init("data.validation", .texts, .texts([]), "files that are not trained on; none: a share of the others"),
        .init("data.validation_share", .number(0...0.9), .number(0.05), "of documents, rows or examples"),
        .init(
            "data.separator", .text, .text("<|endoftext|>"),
            "text between documents of a .txt; the token that ends every document"),
        .init("data.context", .integer(1...1_048_576), .integer(256), "tokens of a sequence"),
        .init(
            "data.packing", .choice(["stream", "documents", "rows"]), .text("stream"),
            "stream: cut anywhere; documents: none is cut that fits; rows: tokens lie in rows of the context"),
        .init(
            "data.order", .choice(["shuffled", "written"]), .text("shuffled"),
            "shuffled anew every epoch, or as the files have it"),
        .init("data.boundaries", .flag, .flag(true), "learn the token that follows the end of a document"),
        .init("data.prompts", .flag, .flag(false), "learn prompts too"),
        .init("data.weights", .texts, .texts([]), "tokens: weights of targets in hundredths, one byte each"),
        .init("data.validation_weights", .texts, .texts([]), "the same for the validation files"),
        .init("data.vocabulary", .integer(0...16_777_216), .integer(0), "tokens without a tokenizer; 0: as found"),
        .init("data.inputs", .text, .text("x"), "arrays: the array of inputs, [examples, ...]"),
        .init("data.targets", .text, .text("y"), "arrays: classes [examples], or numbers [examples, outputs]"),
        .init(
            "data.task", .choice(["classification", "regression"]), .text("classification"), "what arrays are for"),
        .init("data.recipe", .text, .text(""), "generated: the recipe"),
        .init(
            "data.cache", .text, .text(""), "where tokens are kept; empty: in the folder of checkpoints",
            shapesCurve: false),
    ]

    private static let tokenizer: [ConfigurationKey] = [
        .init(
            "data.tokenizer.path", .text, .text(""),
            "tokenizer.json or a model; empty: a vocabulary is learned from the training text"),
        .init(
            "data.tokenizer.vocabulary", .integer(257...16_777_216), .integer(2_048),
            "pieces to learn; 257: bytes and the separator"),
        .init("data.tokenizer.minimum_frequency", .integer(counts), .integer(2), "pairs below it are not merged"),
        .init(
            "data.tokenizer.pattern", .choice(["gpt2", "llama3", "qwen2"]), .text("gpt2"),
            "how text is cut before pairs are merged; qwen2: every digit by itself"),
        .init("data.tokenizer.special_tokens", .texts, .texts([]), "besides the separator, which is token 0"),
        .init("data.tokenizer.sample", .integer(1...65_536), .integer(64), "MB of text that it is learned from"),
    ]

    private static let model: [ConfigurationKey] = [
        .init(
            "model.kind", .choice(["transformer", "pretrained", "mlp", "conv"]), .text("transformer"),
            "pretrained: train all weights of a model from a file, or an adapter to it"),
        .init("model.family", .text, .text("llama"), "transformer: how its blocks are built"),
        .init("model.layers", .integer(1...1_024), .integer(4), "blocks"),
        .init("model.width", .integer(1...65_536), .integer(128), "of the residual stream"),
        .init("model.heads", .integer(1...1_024), .integer(4), "of attention"),
        .init("model.key_value_heads", .integer(0...1_024), .integer(0), "0: as many as heads"),
        .init("model.hidden", .integer(0...1_048_576), .integer(0), "width within the MLP; 0: as usual in the family"),
        .init("model.tied", .flag, .flag(true), "the output matrix is the embedding"),
        .init("model.rope_theta", .number(1...1e12), .number(10_000), "base of the rotary frequencies"),
        .init("model.path", .text, .text(""), "pretrained: a folder or file"),
        .init(
            "model.sizes", .integers(widths), .integers([128]),
            "mlp: hidden layers; conv: those after the convolutions"),
        .init("model.channels", .integers(widths), .integers([16, 32]), "conv: one 3 x 3 convolution each"),
        .init(
            "model.image", .integers(widths), .integers([]), "conv: [channels, height, width]; empty: as the data are"
        ),
        .init("model.activation", .choice(["relu", "gelu", "tanh"]), .text("relu"), "mlp, conv"),
    ]

    private static let adapter: [ConfigurationKey] = [
        .init(
            "adapter.kind", .choice(["none", "lora"]), .text("none"), "lora: the model's own weights stay as they are"),
        .init("adapter.rank", .integer(1...4_096), .integer(8), "of every adapter"),
        .init("adapter.alpha", .number(amounts), .number(16), "the adapter counts alpha / rank"),
        .init("adapter.dropout", .number(0...0.99), .number(0), "of what goes into the adapter"),
        .init("adapter.targets", .texts, .texts(["q", "v"]), "matrices that get one"),
        .init("adapter.rank_stabilized", .flag, .flag(false), "alpha / sqrt(rank) instead"),
    ]

    private static let optimizer: [ConfigurationKey] = [
        .init(
            "optimizer.kind", .choice(["sgd", "adam", "adamw", "lion", "muon"]), .text("adamw"),
            "muon: on hidden matrices, AdamW on the rest"),
        .init("optimizer.rate", .number(amounts), .number(0.001), "the learning rate at its highest"),
        .init("optimizer.beta1", .number(0...0.999_999), .number(0.9), "adam, adamw, lion"),
        .init("optimizer.beta2", .number(0...0.999_999_99), .number(0.95), "adam, adamw, lion"),
        .init("optimizer.epsilon", .number(amounts), .number(1e-8), "adam, adamw"),
        .init("optimizer.momentum", .number(0...0.999_999), .number(0.9), "sgd, muon"),
        .init("optimizer.nesterov", .flag, .flag(true), "sgd, muon"),
        .init("optimizer.weight_decay", .number(amounts), .number(0.1), "per step, times the rate"),
        .init("optimizer.decay", .choice(["matrices", "all"]), .text("matrices"), "what decays: no gains and biases"),
        .init(
            "optimizer.matrix_rate", .number(amounts), .number(0.02), "muon: the rate of hidden matrices at its highest"
        ),
        .init(
            "schedule.kind", .choice(["constant", "linear", "cosine", "wsd", "one_cycle", "inverse_sqrt"]),
            .text("cosine"), "how the rate goes after its warm-up"),
        .init(
            "schedule.warmup", .integer(0...mostSteps), .integer(100),
            "steps; at most a tenth of all; one_cycle has a rise of its own"),
        .init("schedule.minimum", .number(shares), .number(0.1), "of the rate, at the end: linear, cosine, wsd"),
        .init("schedule.decay", .number(shares), .number(0.2), "wsd: the share of the steps in which it falls"),
        .init(
            "training.steps", .integer(0...mostSteps), .integer(0), "or tokens, or epochs; none: 1000 steps",
            shapesCurve: false),
        .init("training.tokens", .integer(counts), .integer(0), "to see in all", shapesCurve: false),
        .init("training.epochs", .number(amounts), .number(0), "times through the data", shapesCurve: false),
        .init("training.batch", .integer(1...1_048_576), .integer(16), "sequences or examples at once"),
        .init("training.accumulation", .integer(1...65_536), .integer(1), "such batches of one step"),
        .init("training.clip", .number(amounts), .number(1), "the gradient's norm at most; 0: any"),
        .init("training.ema", .number(0...0.999_999_9), .number(0), "decay of averaged weights; 0: none"),
        .init(
            "training.precision", .choice(["float32", "bfloat16"]), .text("float32"),
            "bfloat16: passes see rounded weights, steps change float32 ones"),
        .init("training.recompute", .flag, .flag(false), "blocks are computed again on the way back: less memory"),
        .init("training.dropout", .number(0...0.99), .number(0), "in the model's blocks"),
        .init(
            "training.divergence", .number(amounts), .number(4),
            "a loss of so many running medians is divergence; 0: only what is no number"),
        .init("training.patience", .integer(positive), .integer(10), "for so many steps one after the other"),
        .init(
            "training.on_divergence", .choice(["stop", "halve"]), .text("stop"),
            "halve: resumes from the last good state at half the rate"),
    ]

    private static let keeping: [ConfigurationKey] = [
        .init("evaluation.every", .integer(counts), .integer(250), "steps; 0: never"),
        .init("evaluation.batches", .integer(positive), .integer(20), "at most; the same ones every time"),
        .init("evaluation.prompts", .texts, .texts([]), "texts that the model continues", shapesCurve: false),
        .init("evaluation.tokens", .integer(1...65_536), .integer(64), "of a sample", shapesCurve: false),
        .init("evaluation.temperature", .number(0...100), .number(0), "0: always the likeliest", shapesCurve: false),
        .init("evaluation.stop", .texts, .texts([]), "texts that end a sample", shapesCurve: false),
        .init(
            "checkpoints.folder", .text, .text(""), "empty: the run's name with .run, beside this file",
            shapesCurve: false),
        .init("checkpoints.every", .integer(counts), .integer(0), "steps; 0: by the clock alone", shapesCurve: false),
        .init("checkpoints.seconds", .number(amounts), .number(300), "0: by steps alone", shapesCurve: false),
        .init("checkpoints.keep", .integer(positive), .integer(3), "of the last ones", shapesCurve: false),
        .init("checkpoints.best", .flag, .flag(true), "keep the one of the best validation too", shapesCurve: false),
        .init("record.every", .integer(positive), .integer(1), "steps", shapesCurve: false),
        .init(
            "record.norms", .integer(counts), .integer(50), "steps; norms and update ratios by parameter; 0: never",
            shapesCurve: false),
    ]
}
