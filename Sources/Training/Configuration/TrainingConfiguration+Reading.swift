internal import Configuration
public import System

extension TrainingConfiguration {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - overrides: Settings such as `training.steps=200` that take precedence over the file.
    ///   - rules: Optimizers that the file can name.
    /// - Throws: `Problem` with the file, line, and remedy.
    public init(
        contentsOf path: String, overriding overrides: [String] = [], rules: UpdateRules = .standard
    ) throws(Problem) {
        let text = try SmallFile.text(path, limit: 1 << 20)
        try self.init(text, path: path, overriding: overrides, rules: rules)
    }

    /// Reads the text of a configuration file. Relative paths in the text start at the folder of `path`.
    public init(
        _ text: String, path: String, overriding overrides: [String] = [], rules: UpdateRules = .standard
    ) throws(Problem) {
        var values = try SettingValues(text, path: path, keys: ConfigurationKey.settings(rules))
        for override in overrides { try values.set(override: override) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        func place(_ file: String) -> String { file.isEmpty || file.hasPrefix("/") ? file : folder + file }
        func places(_ key: String) -> [String] { values.texts(key).map(place) }

        self.path = path
        self.text = text
        var name = values.text("run.name")
        if name.isEmpty {
            name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
            if name.hasSuffix(".toml") { name.removeLast(5) }
        }
        run = Run(name: name, seed: UInt64(values.integer("run.seed")), threads: values.integer("run.threads"))
        let checkpointFolder = values.text("checkpoints.folder")
        checkpoints = CheckpointSettings(
            folder: place(checkpointFolder.isEmpty ? "\(name).run" : checkpointFolder),
            every: values.integer("checkpoints.every"), seconds: values.number("checkpoints.seconds"),
            keep: values.integer("checkpoints.keep"), keepsBest: values.flag("checkpoints.best"))
        let cache = values.text("data.cache")
        data = Data(
            kind: values.choice("data.kind"), train: places("data.train"), validation: places("data.validation"),
            validationShare: values.number("data.validation_share"), separator: values.text("data.separator"),
            context: values.integer("data.context"), packing: values.choice("data.packing"),
            order: values.choice("data.order"), learnsBoundaries: values.flag("data.boundaries"),
            learnsPrompts: values.flag("data.prompts"), weights: places("data.weights"),
            validationWeights: places("data.validation_weights"), vocabulary: values.integer("data.vocabulary"),
            inputs: values.text("data.inputs"), targets: values.text("data.targets"),
            task: values.choice("data.task"), recipe: place(values.text("data.recipe")),
            cache: cache.isEmpty ? checkpoints.folder + "/cache" : place(cache),
            tokenizer: TokenizerSettings(
                path: place(values.text("data.tokenizer.path")),
                vocabulary: values.integer("data.tokenizer.vocabulary"),
                minimumFrequency: values.integer("data.tokenizer.minimum_frequency"),
                pattern: values.text("data.tokenizer.pattern"),
                specialTokens: values.texts("data.tokenizer.special_tokens"),
                sample: values.integer("data.tokenizer.sample") << 20))
        model = Model(values, place: place)
        adapter = Adapter(
            kind: values.choice("adapter.kind"), rank: values.integer("adapter.rank"),
            alpha: values.number("adapter.alpha"), dropout: values.number("adapter.dropout"),
            targets: values.texts("adapter.targets"), isRankStabilized: values.flag("adapter.rank_stabilized"))
        optimizer = OptimizerSettings(values, rules)
        schedule = ScheduleSettings(
            kind: values.choice("schedule.kind"), warmUp: values.integer("schedule.warmup"),
            minimum: values.number("schedule.minimum"), decay: values.number("schedule.decay"))
        training = Training(values)
        evaluation = Evaluation(
            every: values.integer("evaluation.every"), batches: values.integer("evaluation.batches"),
            prompts: values.texts("evaluation.prompts"), tokens: values.integer("evaluation.tokens"),
            temperature: values.number("evaluation.temperature"), stop: values.texts("evaluation.stop"))
        record = Record(every: values.integer("record.every"), norms: values.integer("record.norms"))
        let kind = optimizer.rule.name
        settings = ConfigurationKey.all(rules).filter { $0.optimizer == nil || $0.optimizer == kind }.map {
            let name = $0.setting.name
            return Setting(name: name, value: values[name]?.toml ?? "", shapesCurve: $0.shapesCurve)
        }
        try check(values)
    }

    /// What types and ranges of single keys cannot say.
    private func check(_ values: SettingValues) throws(Problem) {
        let amounts = ["training.steps", "training.tokens", "training.epochs"].filter {
            values[$0] != .integer(0) && values[$0] != .number(0)
        }
        if amounts.count > 1 {
            throw values.problem(amounts[1], "\(amounts[0]) and \(amounts[1]) are mutually exclusive. Set only one.")
        }
        if data.kind == .generated {
            if data.recipe.isEmpty {
                throw values.problem("data.recipe", "data.recipe is missing. Set it to a recipe file.")
            }
        } else if data.train.isEmpty {
            throw values.problem("data.train", "data.train is empty. Set it to one or more training files.")
        }
        let isText = data.kind != .arrays
        let wantsText = model.kind == .transformer || model.kind == .pretrained
        if isText != wantsText {
            throw values.problem(
                "model.kind",
                isText
                    ? "model.kind \"\(model.kind.rawValue)\" learns from arrays. Set data.kind to \"arrays\"."
                    : "model.kind \"\(model.kind.rawValue)\" learns from text or tokens, not from arrays. Set "
                        + "data.kind to \"text\" or \"tokens\".")
        }
        if model.kind == .pretrained, model.path.isEmpty {
            throw values.problem("model.path", "model.path is missing. Set it to the pretrained model.")
        }
        if adapter.kind != .none, model.kind != .pretrained {
            throw values.problem(
                "adapter.kind",
                "adapter.kind needs a pretrained model. Set model.kind to \"pretrained\".")
        }
        if model.kind == .transformer, model.width % model.heads != 0 {
            throw values.problem(
                "model.heads",
                "model.width \(model.width) is not divisible by \(model.heads) heads. Set "
                    + "model.heads to a divisor of the width.")
        }
        if model.kind == .transformer, model.keyValueHeads > 0, model.heads % model.keyValueHeads != 0 {
            throw values.problem(
                "model.key_value_heads",
                "model.heads \(model.heads) is not a multiple of model.key_value_heads \(model.keyValueHeads).")
        }
        if !data.weights.isEmpty, data.weights.count != data.train.count {
            throw values.problem("data.weights", "data.weights needs one file for each file of data.train.")
        }
        if !data.validationWeights.isEmpty, data.validationWeights.count != data.validation.count {
            throw values.problem(
                "data.validation_weights", "data.validation_weights needs one file for each file of data.validation.")
        }
        if run.name.contains("/") || run.name.hasPrefix(".") {
            throw values.problem(
                "run.name",
                "run.name \"\(run.name)\" is not a valid folder name. Remove slashes and leading dots.")
        }
        if data.separator.isEmpty {
            throw values.problem(
                "data.separator",
                "data.separator is empty. Set it to a string.")
        }
        if optimizer.peakRate != nil, optimizer.rate == 0 {
            throw values.problem("optimizer.rate", "optimizer.rate is 0, so the model would not learn. Set it above 0.")
        }
    }
}

extension SettingValues {
    /// Sets a key to the value of `key=value` on the command line.
    fileprivate mutating func set(override: String) throws(Problem) {
        guard let equals = override.firstIndex(of: "=") else {
            throw Problem(
                .invalid, "", "--set needs KEY=VALUE, not \(override)", remedy: "Example: training.steps=100.")
        }
        do {
            try set(String(override[..<equals]), written: String(override[override.index(after: equals)...]))
        } catch {
            var problem = error
            problem.subject = "--set"
            throw problem
        }
    }
}

extension TrainingConfiguration.Model {
    fileprivate init(_ values: SettingValues, place: (String) -> String) {
        self.init(
            kind: values.choice("model.kind"), family: values.text("model.family"),
            layers: values.integer("model.layers"), width: values.integer("model.width"),
            heads: values.integer("model.heads"), keyValueHeads: values.integer("model.key_value_heads"),
            hidden: values.integer("model.hidden"), isTied: values.flag("model.tied"),
            ropeTheta: values.number("model.rope_theta"), path: place(values.text("model.path")),
            reference: values.text("model.path"),
            sizes: values.integers("model.sizes"), channels: values.integers("model.channels"),
            image: values.integers("model.image"), activation: values.choice("model.activation"))
    }
}

extension TrainingConfiguration.OptimizerSettings {
    fileprivate init(_ values: SettingValues, _ rules: UpdateRules) {
        // The key accepts only names in the table.
        let rule = rules[values.text("optimizer.kind")] ?? rules.defaultRule
        var hyperparameters: [String: Double] = [:]
        for hyperparameter in rule.configurableHyperparameters {
            hyperparameters[hyperparameter.name] =
                switch hyperparameter.range {
                case .flag: values.flag(hyperparameter.key) ? 1 : 0
                case .fraction, .nonNegative: values.number(hyperparameter.key)
                }
        }
        self.init(
            rule: rule, rate: values.number("optimizer.rate"), hyperparameters: hyperparameters,
            decaysAll: values.text("optimizer.decay") == "all")
    }
}

extension TrainingConfiguration.Training {
    fileprivate init(_ values: SettingValues) {
        self.init(
            steps: values.integer("training.steps"), tokens: values.integer("training.tokens"),
            epochs: values.number("training.epochs"), batch: values.integer("training.batch"),
            accumulation: values.integer("training.accumulation"), clip: values.number("training.clip"),
            ema: values.number("training.ema"), precision: values.choice("training.precision"),
            recomputes: values.flag("training.recompute"), dropout: values.number("training.dropout"),
            divergence: values.number("training.divergence"), patience: values.integer("training.patience"),
            onDivergence: values.choice("training.on_divergence"))
    }
}
