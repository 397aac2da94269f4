internal import Models
internal import System
internal import Tensors
internal import Tokenizers

/// A transformer that learns what comes next.
final class SequenceTask: LearningTask {
    let model: TrainableTransformer<Float>
    private let configuration: TrainingConfiguration
    private var data: SequenceData
    private let validation: [TokenBatch]
    /// Where the tokenizer's file lies, for export; `nil` if there is none.
    private let tokenizerFile: String?
    /// Arithmetic of a token: so much, and so much more for each position before it.
    private let tokenFlops: (base: Double, position: Double)
    private(set) var lastWork: (units: Int, flops: Double) = (0, 0)
    let notes: [String]

    var parameters: [Parameter<Float>] { model.trainableParameters }
    var parameterCount: Int { model.parameterCount + (model.adapter?.parameters.reduce(0) { $0 + $1.count } ?? 0) }
    let unit = "tokens"
    private var rows: Int { configuration.training.batch }
    private var parts: Int { configuration.training.accumulation }
    var unitsPerStep: Int { rows * parts * configuration.data.context }
    var stepsPerEpoch: Double { Double(data.train.count) / Double(rows * parts) }
    var flopsPerStep: Double { flops(rows: rows * parts, positions: configuration.data.context) }
    var dataDigest: UInt64 { data.digest }

    init(_ configuration: TrainingConfiguration) throws(Problem) {
        self.configuration = configuration
        var data = try SequenceData(configuration)
        do {
            switch configuration.model.kind {
            case .pretrained: model = try TrainableTransformer(try Checkpoints.open(configuration.model.path))
            default:
                model = try TrainableTransformer(
                    try configuration.model.transformer(
                        vocabulary: data.vocabularySize, context: configuration.data.context, end: data.separator),
                    seed: configuration.run.seed)
            }
            if configuration.adapter.kind == .lora {
                let adapter = configuration.adapter
                try model.attach(
                    LowRankSettings(
                        rank: adapter.rank, alpha: adapter.alpha, dropout: adapter.dropout, targets: adapter.targets,
                        isRankStabilized: adapter.isRankStabilized), seed: configuration.run.seed)
            }
        } catch { throw Problem(error, in: "") }
        guard data.vocabularySize <= model.configuration.vocabularySize else {
            throw Problem(
                .invalid, configuration.model.path,
                "the model has \(model.configuration.vocabularySize) tokens, but the data have "
                    + "\(data.vocabularySize)", remedy: "Use the model's own tokenizer.")
        }
        if configuration.data.context > model.configuration.contextLength, configuration.model.kind == .pretrained {
            throw Problem(
                .invalid, configuration.model.path, "the model supports \(model.configuration.contextLength) positions",
                remedy: "Set data.context to that number or less.")
        }
        let base = model.flopsPerToken(positions: 0)
        tokenFlops = (base, model.flopsPerToken(positions: 1) - base)
        model.dropout = configuration.training.dropout
        model.recomputesBlocks = configuration.training.recomputes
        var batches: [TokenBatch] = []
        if var held = data.validation {
            let rows = min(configuration.training.batch, held.count)
            for batch in 0..<min(configuration.evaluation.batches, held.count / rows) {
                batches.append(held.batch(from: batch * rows, rows: rows).trimmed())
            }
            data.validation = held
        }
        validation = batches
        var notes = data.notes
        if data.tokenizer == nil, !configuration.evaluation.prompts.isEmpty {
            notes.append("evaluation.prompts is ignored. Set data.tokenizer to the tokenizer of the data.")
        }
        self.notes = configuration.evaluation.every > 0 ? notes : []
        if let json = data.tokenizerJSON {
            try FileBytes.makeFolder(configuration.checkpoints.folder)
            let file = configuration.checkpoints.folder + "/tokenizer.json"
            if FileBytes.read(file) != json { try FileBytes.write(json, to: file) }
            tokenizerFile = file
        } else {
            tokenizerFile = nil
        }
        self.data = data
    }

    func learn(step: Int, isCancelled: () -> Bool) throws -> Double? {
        let batches = (0..<parts).map {
            data.train.batch(from: (step * parts + $0) * rows, rows: rows).trimmed()
        }
        let weights = batches.map(\.totalWeight)
        let total = weights.reduce(0, +)
        lastWork = (0, 0)
        guard total > 0 else { return nil }
        var loss = 0.0
        // A part without anything to learn has neither loss nor gradient.
        for (part, batch) in batches.enumerated() where weights[part] > 0 {
            if part > 0, isCancelled() { throw StepCancelled() }
            let pass = Pass(isTraining: true, seed: configuration.run.seed, step: step * parts + part)
            let result = try self.loss(batch, divisor: total, pass)
            try result.backward()
            loss += Double(result.scalar ?? 0)
            lastWork.units += batch.rows * batch.context
            lastWork.flops += flops(rows: batch.rows, positions: batch.context)
        }
        return loss
    }

    private func flops(rows: Int, positions: Int) -> Double {
        Double(rows * positions) * (tokenFlops.base + tokenFlops.position * Double(positions))
    }

    func evaluate() throws -> [(series: String, value: Double)] {
        guard !validation.isEmpty else { return [] }
        return try resting {
            var (sum, weight) = (0.0, 0.0)
            for batch in validation where batch.totalWeight > 0 {
                sum += Double(try loss(batch, divisor: 1, .evaluation).scalar ?? 0)
                weight += batch.totalWeight
            }
            return weight > 0 ? [(RunSeries.validationLoss, sum / weight)] : []
        }
    }

    func samples(step: Int) throws -> [(prompt: String, text: String)] {
        guard let tokenizer = data.tokenizer else { return [] }
        let settings = configuration.evaluation
        let sampler = Sampler(
            model: model, tokenizer: tokenizer, tokens: settings.tokens, temperature: settings.temperature,
            stop: settings.stop, end: data.separator, context: configuration.data.context)
        return try resting {
            try settings.prompts.enumerated().map { index, prompt in
                (prompt, try sampler.text(after: prompt, seed: configuration.run.seed &+ UInt64(step), index: index))
            }
        }
    }

    func export(to folder: String) throws {
        if model.adapter != nil {
            try model.merge()
            do {
                defer { try? model.unmerge() }
                try model.export(to: folder, as: .float32, tokenizer: tokenizerFile ?? configuration.model.path)
            }
            // Within the folder of the merged model, which is there now.
            try model.writeAdapter(to: folder + "/adapter", base: configuration.model.path)
        } else {
            let tokenizer = tokenizerFile ?? (configuration.model.kind == .pretrained ? configuration.model.path : nil)
            try model.export(to: folder, as: .float32, tokenizer: tokenizer)
        }
    }

    private func loss(_ batch: TokenBatch, divisor: Double, _ pass: Pass) throws(TensorError) -> Variable<Float> {
        let shape = [batch.rows, batch.context]
        return try model.loss(
            try Tensor(batch.inputs, shape: shape), targets: try Tensor(batch.targets, shape: shape),
            weights: try Tensor(batch.weights, shape: shape), divisor: divisor, pass)
    }

    /// Runs `body` while no parameter asks for gradients, so that nothing is kept for a way back.
    private func resting<Result>(_ body: () throws -> Result) rethrows -> Result {
        let resting = parameters
        for parameter in resting { parameter.isTrainable = false }
        defer { for parameter in resting { parameter.isTrainable = true } }
        return try body()
    }
}
