import ArgumentParser
import CommandSupport
import Console
import FeatureLab
import Formatting
import Interpretability
import JSON

extension FeatureCommand {
    struct Evaluate: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "evaluate",
            abstract:
                "Evaluate a dictionary: explained variance, sparsity, and model loss.",
            discussion: """
                Loss recovered is 1 if the model predicts as well with the reconstruction as with the activations, and \
                0 if it predicts only as well as with zeros (with --mean: with the mean activation). The first \
                token of every sequence is excluded.
                """)

        @OptionGroup var dictionary: DictionaryArgument
        @OptionGroup var texts: TextsOptions

        @Option(help: "Model name or file, if not recorded.", completion: .file())
        var model: String?

        @Flag(help: "Compare with mean activations instead of zeros.")
        var mean = false

        @OptionGroup var reading: JSONOption

        func result(in options: JSONOption) throws -> some Presentable {
            let (store, record) = try dictionary.found(writing: true)
            let opened = try OpenedDictionary(record)
            let model = try InspectedModel(path: try dictionary.modelPath(of: opened.record, model))
            let hook = try opened.hook(in: model)
            let runtime = try OpenedCheckpoint(path: model.path).runtime()
            let line = FractionLine("evaluating")
            let cancelling = Cancelling()
            let found = try cancelling.run {
                defer { line.end() }
                return try DictionaryEvaluation.run(
                    opened.weights, at: hook, of: model, runtime: runtime, over: try texts.sequences(for: model),
                    againstMean: mean, progress: { line.show($0, "") },
                    isCancelled: { cancelling.isCancelled })
            }
            let report = DictionaryReport(name: opened.record.name, found: found)
            try store.update(
                opened.record.id, metrics: report.json(.compact), meanActive: found.measures.meanActive)
            return Report(report) { report.text }
        }
    }
}

/// Quality of a dictionary, as text and JSON.
struct DictionaryReport: JSONRepresentable {
    let name: String
    let found: DictionaryEvaluation

    private var measures: DictionaryMeasures { found.measures }
    private var loss: LossRecovered { found.loss }
    private var ablation: String { found.ablation }

    private var rows: [(name: String, key: String, value: Double, digits: Int)] {
        [
            ("tokens", "tokens", Double(measures.rowCount), 0),
            ("active features per token (L0)", "l0", measures.meanActive, 2),
            ("explained variance", "explained_variance", measures.explainedVariance, 4),
            ("cosine", "cosine", measures.cosine, 4),
            ("reconstruction length ratio", "l2_ratio", measures.lengthRatio, 4),
            ("dead features", "dead", Double(measures.deadCount), 0),
            ("model loss", "loss_clean", loss.cleanLoss, 4),
            ("loss with the reconstruction", "loss_dictionary", loss.dictionaryLoss, 4),
            ("loss with \(ablation) instead", "loss_ablated", loss.ablatedLoss, 4),
            ("loss recovered", "loss_recovered", loss.score, 4),
            ("recovered by KL", "kl_recovered", loss.divergenceScore, 4),
        ]
    }

    var text: String {
        var table = TextTable([name, ""], rightAligned: [1])
        for row in rows { table.add([row.name, Format.fixed(row.value, digits: row.digits)]) }
        return table.text
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("ablation", ablation)
            for row in rows { json.member(row.key, row.value) }
        }
    }
}
