internal import Interpretability
internal import Models
internal import Tokenizers

/// One question, made ready: prompts and answers as tokens, and the study that finds the cells of the map.
struct CircuitWork {
    private enum Study {
        case patching(ActivationPatching<Float>)
        case attribution(AttributionPatching<Float>)
        case ablation(AblationStudy<Float>)
    }

    let question: CircuitQuestion
    private let model: CircuitModel
    private let runtime: RuntimeModel
    private let study: Study
    private let clean: [TokenID]
    private let corrupt: [TokenID]
    private let right: TokenID
    private let wrong: TokenID

    /// Answers that are not named are those that the model gives; to one prompt, its two best.
    ///
    /// - Throws: If an answer is not one token or the prompts do not form a pair.
    init(_ question: CircuitQuestion, _ model: CircuitModel) throws {
        self.question = question
        self.model = model
        runtime = try model.runtime()
        clean = model.tokens(question.clean)
        let second = model.tokens(question.corrupt)
        corrupt = question.method == .ablation ? [] : second
        let logits = try runtime.lastLogits(clean)
        right = question.answer.isEmpty ? NextToken.best(logits) : try model.token(question.answer)
        if question.wrong.isEmpty {
            // The same two answers, by whichever method they are asked about.
            let other = second.isEmpty ? right : NextToken.best(try runtime.lastLogits(second))
            wrong = other == right ? NextToken.best(logits, besides: right) : other
        } else {
            wrong = try model.token(question.wrong)
        }
        let metric = PatchMetric.logitDifference(correct: right, wrong: wrong)
        study =
            switch question.method {
            case .patching:
                .patching(try ActivationPatching(runtime, clean: clean, corrupt: corrupt, metric: metric))
            case .attribution:
                .attribution(
                    try AttributionPatching(try model.hooked(), clean: clean, corrupt: corrupt, metric: metric))
            case .ablation: .ablation(try AblationStudy(runtime, clean, metric: metric, kind: .zero))
            }
    }

    private var metric: PatchMetric { .logitDifference(correct: right, wrong: wrong) }

    // MARK: The map

    /// What is known before the first cell is run: the empty map, and what each part of the model adds.
    func reading() throws -> CircuitReading {
        CircuitReading(
            question: question, map: try map(progress: { _ in }, isCancelled: { true }), tokens: clean.map(model.text),
            metric: metric.sentence(model.text), answers: (model.text(right), model.text(wrong)),
            sum: CircuitSum(try attribution()))
    }

    /// - Returns: The map, incomplete if it was canceled.
    func map(progress: (PatchProgress) -> Void, isCancelled: () -> Bool) throws -> PatchMap {
        switch study {
        case .patching(let patching):
            try patching.map(question.site, question.axes, progress: progress, isCancelled: isCancelled)
        // All of its cells come at once.
        case .attribution(let patching): try patching.map(question.site, question.axes)
        case .ablation(let study): try study.map(progress: progress, isCancelled: isCancelled)
        }
    }

    // MARK: One cell

    /// Runs a cell and returns the metric and the most likely tokens, without and with the cell's change.
    func cell(row: Int, column: Int) throws -> CircuitCell {
        let (base, change) = try intervention(row: row, column: column)
        let untouched = try runtime.lastLogits(base)
        let changed = try runtime.lastLogits(base, [change])
        func choices(_ logits: [Float]) -> [CircuitCell.Choice] {
            NextToken.choices(logits).map { .init(text: model.text($0.token), probability: $0.probability) }
        }
        return CircuitCell(
            row: row, column: column, base: model.text(base),
            value: Double(changed[Int(right)] - changed[Int(wrong)]), before: choices(untouched),
            after: choices(changed))
    }

    private func intervention(row: Int, column: Int) throws -> (base: [TokenID], change: Intervention<Float>) {
        switch study {
        case .ablation(let study):
            let head = column < runtime.headCount ? column : nil
            return (clean, try study.intervention(layer: row, head: head))
        case .patching(let patching):
            return (
                patching.pair.base,
                try patching.intervention(question.site, question.axes, row: row, column: column)
            )
        case .attribution:
            // An estimate is held against what really comes of the cell.
            let patching = try ActivationPatching(runtime, clean: clean, corrupt: corrupt, metric: metric)
            return (
                patching.pair.base,
                try patching.intervention(question.site, question.axes, row: row, column: column)
            )
        }
    }

    // MARK: Parts

    /// The logit difference of the clean prompt at its end, taken apart.
    private func attribution() throws -> AttributionSum {
        let target = LogitTarget.difference(right, wrong)
        guard question.grain != .components else {
            let cache = try runtime.run(clean, keeping: .only(Set(runtime.hooks.filter(Self.isWhole))))
            return try cache.attribution(
                of: target, at: clean.count - 1, by: .components, readout: try runtime.readout(),
                weights: WritingWeights(layerCount: runtime.layerCount))
        }
        let hooked = try model.hooked()
        return try hooked.run(clean).attribution(
            of: target, at: clean.count - 1, by: question.grain, readout: try hooked.readout(),
            weights: WritingWeights(hooked.weights, isSandwich: hooked.configuration.isSandwich))
    }

    /// Hooks that are as wide as the residual stream: a cache of them is small.
    private static func isWhole(_ hook: Hook) -> Bool {
        switch hook {
        case .embedding, .positionEmbedding, .attentionOut, .feedForwardOut, .residualPost, .finalNormScale, .logits:
            true
        default: false
        }
    }
}
