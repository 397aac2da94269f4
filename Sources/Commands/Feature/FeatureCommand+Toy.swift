import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Tables

extension FeatureCommand {
    struct Toy: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "toy", abstract: "Train a dictionary on known features, and count recovered features.",
            discussion: """
                Each row of width 64 is a sum of 4 of 128 known directions. A kind of dictionary that misses features \
                here also misses features where the truth is unknown.
                """)

        @Option(help: "Kind: topk, batchtopk, matryoshka, relu, jumprelu, or gated.")
        var kind = "topk"

        @Option(help: "Steps of 512 rows.")
        var steps = 3000

        @Option(help: "Seed for weights and rows.")
        var seed: UInt64 = 1

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard DictionaryConfiguration.toy(kind, steps: 1) != nil else {
                throw ValidationError("--kind must be topk, batchtopk, matryoshka, relu, jumprelu, or gated.")
            }
            guard (1...1_000_000).contains(steps) else { throw ValidationError("--steps must be 1 to 1,000,000.") }
        }

        func result(in options: JSONOption) throws -> Report<ToyReport> {
            guard var configuration = DictionaryConfiguration.toy(kind, steps: steps) else {
                throw ExitCode.validationFailure
            }
            configuration.seed = seed
            let line = FractionLine("training")
            defer { line.end() }
            let cancelling = Cancelling()
            let report = try cancelling.run {
                let source = try ToyFeatures(seed: seed)
                let trainer = try DictionaryTrainer(configuration, width: source.width)
                let trained = try trainer.run(
                    on: source,
                    progress: { line.show(Double($0.step) / Double($0.steps), Format.rate($0.rowsPerSecond, "rows")) },
                    isCancelled: { cancelling.isCancelled })
                let recovery = try FeatureRecovery(of: source.truth, in: trained.decoder)
                let rows = try source.next(rows: 16_384)
                var accumulator = DictionaryAccumulator(width: source.width, featureCount: trained.featureCount)
                try accumulator.add(rows, through: trained)
                return ToyReport(kind: kind, recovery: recovery, measures: accumulator.measures)
            }
            return Report(report) { report.text }
        }
    }

    struct Superposition: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "superposition",
            abstract: "Train toy models with more features than dimensions (superposition).",
            discussion: """
                y = ReLU(W'Wx + b), where W' is W transposed and x is sparse. Dense features keep separate directions \
                and drop the rest; sparse features share dimensions as pairs, then as a pentagon.
                """)

        @Option(help: "Number of features.")
        var features = 5

        @Option(help: "Number of dimensions.")
        var dimensions = 2

        @Option(help: "Probability that a feature is 0.")
        var sparsity = 0.9

        @Option(help: "Importance base: feature i has importance BASE^i.")
        var importance = 0.9

        @Option(help: "Training steps.")
        var steps = 4000

        @Option(help: "Models to train; the best is shown.")
        var seeds = 8

        @OptionGroup var reading: TableOptions

        func validate() throws {
            guard (1...1000).contains(features), (1...1000).contains(dimensions), (0..<1).contains(sparsity),
                (1...1_000_000).contains(steps), (1...64).contains(seeds)
            else {
                throw ValidationError(
                    "--features and --dimensions must be 1 to 1000, --sparsity at least 0 and below 1, "
                        + "--steps 1 to 1,000,000, --seeds 1 to 64."
                )
            }
        }

        func result(in options: TableOptions) throws -> Listing<SuperpositionModel> {
            var configuration = SuperpositionConfiguration()
            configuration.features = features
            configuration.dimensions = dimensions
            configuration.sparsity = sparsity
            configuration.importanceRatio = importance
            configuration.steps = steps
            configuration.starts = seeds
            let cancelling = Cancelling()
            let models = try cancelling.run {
                try SuperpositionTrainer.run(configuration, isCancelled: { cancelling.isCancelled })
            }
            return Listing(models, "models") { table in
                table.text("loss", json: "loss", align: .right, \.loss) { Format.fixed($0, digits: 4) }
                table.text("represented", json: "represented", align: .right, \.represented) { "\($0.count)" }
                table.text("geometry", json: "geometry", \.geometry.name)
                table.text("feature lengths", json: "norms", \.norms) {
                    $0.prefix(12).map { Format.fixed($0, digits: 2) }.joined(separator: " ")
                }
                table.member("dimensionalities", \.dimensionalities)
            }
        }
    }
}

struct ToyReport: JSONRepresentable {
    let kind: String
    let recovery: FeatureRecovery
    let measures: DictionaryMeasures

    private var rows: [(name: String, key: String, value: Double, digits: Int)] {
        [
            ("mean of the best cosines", "mean_max_cosine", recovery.meanMaxCosine, 4),
            ("features found (cosine above 0.95)", "recovered", recovery.recovered(above: 0.95), 4),
            ("active features per row (truth: 4)", "l0", measures.meanActive, 3),
            ("explained variance", "explained_variance", measures.explainedVariance, 4),
            ("dead features", "dead_share", measures.deadShare, 4),
        ]
    }

    var text: String {
        var table = TextTable([kind, ""], rightAligned: [1])
        for row in rows { table.add([row.name, Format.fixed(row.value, digits: row.digits)]) }
        return table.text
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", kind)
            for row in rows { json.member(row.key, row.value) }
        }
    }
}
