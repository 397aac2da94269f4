import ArgumentParser
import Console
import FeatureLab
import Glibc
import Interpretability
import JSON
import ModelLab
import Models
import Workspace

extension FeatureCommand {
    struct Train: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "train",
            abstract: "Train a sparse autoencoder on a model's activations, or on those of files.",
            discussion: """
                Rows are streamed from the hook while the model reads the texts, mixed in a buffer. Kinds: topk (k largest, \
                with a loss that wakes dead features), batchtopk, matryoshka, relu (L1), jumprelu, gated. The result is a \
                folder in the layout of sae-lens, and is added to the workspace. A stopped run resumes where it was \
                when the same command is given again; --afresh begins anew.
                """)

        @Argument(help: "A model's name, or the path of its file or folder.", completion: .file())
        var model: String?

        @Option(help: "The hook, such as blocks.3.hook_resid_post.")
        var hook: String

        @OptionGroup var texts: TextsOptions

        @Option(
            parsing: .upToNextOption, help: "Files of activations instead of a model: .safetensors, .npy.",
            completion: .file())
        var activations: [String] = []

        @Option(help: "topk, batchtopk, matryoshka, relu, jumprelu or gated.")
        var kind = "topk"

        @Option(help: "Features.")
        var features = 1536

        @Option(help: "Active features of a token: of topk and its kin, and what jumprelu aims at.")
        var k = 16

        @Option(help: "Weight of the sparsity of relu and gated.")
        var sparsity: Double?

        @Option(help: "Steps.")
        var steps = 3000

        @Option(help: "Rows of a step.")
        var batch = 1024

        @Option(help: "The learning rate, rather than one that fits the number of features.")
        var rate: Double?

        @Option(help: "Of weights and order.")
        var seed: UInt64 = 0

        @Option(help: "What it is called; by default the name of the folder.")
        var name: String?

        @Option(name: [.customShort("o"), .customLong("output")], help: "The folder to write.", completion: .directory)
        var folder: String

        @Flag(help: "Begin anew where a run was stopped.")
        var afresh = false

        @Flag(help: "Replace a dictionary that is in the folder.")
        var force = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (model == nil) != activations.isEmpty else {
                throw ValidationError("name a model with --texts, or files with --activations.")
            }
            guard model == nil || !texts.texts.isEmpty else { throw ValidationError("a model needs --texts to read.") }
            guard ["topk", "batchtopk", "matryoshka", "relu", "jumprelu", "gated"].contains(kind) else {
                throw ValidationError("--kind takes topk, batchtopk, matryoshka, relu, jumprelu or gated.")
            }
            guard (1...10_000_000).contains(steps), (1...1_000_000).contains(batch) else {
                throw ValidationError("--steps takes 1 to 10000000, --batch 1 to 1000000.")
            }
            guard (1...16_777_216).contains(features), (1...features).contains(k) else {
                throw ValidationError("--features takes 1 to 16777216, and --k at most the number of features.")
            }
            guard (rate ?? 1) > 0, (rate ?? 1).isFinite, (sparsity ?? 1) > 0, (sparsity ?? 1).isFinite else {
                throw ValidationError("--rate and --sparsity take numbers above 0.")
            }
        }

        func run() throws {
            try answering {
                let store = FeatureStore(try place.open())
                let name = name ?? ModelPath.name(of: folder)
                try prepare(name, store)
                // Of a training that never began no empty folder stays; one with files in it is not removed.
                defer { rmdir(folder) }
                let checkpoints = DictionaryCheckpoints(folder: trimmed + ".steps", every: 500)
                if afresh { checkpoints.remove() }
                let cancelling = Cancelling()
                let progress = TrainingProgressLines(isJSON: output.json)
                let trained: (dictionary: SparseAutoencoder, modelPath: String?)
                do {
                    trained = try cancelling.run {
                        defer { progress.end() }
                        let rows = try source { cancelling.isCancelled }
                        let dictionary = try trainer(rows, checkpoints).run(
                            on: rows.source, checkpoints: checkpoints, progress: progress.show,
                            isCancelled: { cancelling.isCancelled })
                        return (dictionary, rows.modelPath)
                    }
                } catch is Failure where cancelling.isCancelled && !checkpoints.files.isEmpty {
                    throw Failure("cancelled; the same command resumes from \(checkpoints.folder).")
                }
                try DictionaryFile.write(trained.dictionary, to: folder)
                checkpoints.remove()
                let record = try store.add(
                    .init(
                        trained.dictionary, name: name, path: ModelPath.absolute(folder),
                        modelPath: trained.modelPath))
                let report = TrainedDictionary(name: record.name, folder: folder, last: progress.last)
                guard !output.json else { return Output.raw(report.json(.compact) + "\n") }
                Output.note(report.sentence)
                Output.note(FeatureSteps.added(record))
            }
        }

        /// The folder without slashes at its end: checkpoints lie beside it.
        private var trimmed: String {
            var path = folder
            while path.count > 1, path.last == "/" { path.removeLast() }
            return path
        }

        /// What would be found out after hours is found out now.
        private func prepare(_ name: String, _ store: FeatureStore) throws {
            let known = try store.dictionaries()
            if known.contains(where: { $0.name == name }) {
                throw Failure("dictionary \(name) is in this workspace already: give another --name.")
            }
            let place = ModelPath.absolute(folder)
            if let other = known.first(where: { $0.path == place }) {
                throw Failure(
                    "\(folder): dictionary \(other.name) of this workspace lies there. Name another folder, or take it "
                        + "out with orrery feature delete.")
            }
            guard force || access(folder + "/cfg.json", F_OK) != 0 else {
                throw Failure(
                    "\(folder): there is a dictionary already. Replace it with --force, or choose another folder.")
            }
            if mkdir(folder, 0o777) != 0, errno != EEXIST {
                throw Failure("\(folder): cannot be made: \(String(cString: strerror(errno))).")
            }
            guard access(folder + "/.", W_OK) == 0 else {
                throw Failure("\(folder): cannot be written into: \(String(cString: strerror(errno))).")
            }
        }

        /// One that begins, or one that goes on.
        ///
        /// - Throws: a sentence where what was begun in this folder is another training.
        private func trainer(_ rows: Rows, _ checkpoints: DictionaryCheckpoints) throws -> DictionaryTrainer {
            let wanted = try configuration(width: rows.source.width)
            guard !checkpoints.files.isEmpty else {
                return try DictionaryTrainer(wanted, width: rows.source.width, origin: rows.origin)
            }
            let begun = try DictionaryTrainer(resuming: checkpoints.folder)
            guard begun.configuration == wanted, begun.width == rows.source.width,
                begun.origin.hook == rows.origin.hook, begun.origin.model == rows.origin.model,
                begun.origin.notes == rows.origin.notes
            else {
                throw Failure(
                    "\(checkpoints.folder): holds a training with other settings, texts or another model, stopped at "
                        + "step \(begun.step). Give those again to resume, or --afresh to start anew.")
            }
            Output.note("resumes after step \(begun.step) of \(steps)")
            return begun
        }

        private struct Rows {
            let source: any ActivationSource
            let origin: SparseAutoencoder.Origin
            let modelPath: String?
        }

        private func source(_ isCancelled: @escaping () -> Bool) throws -> Rows {
            guard let model else {
                return Rows(
                    source: try ActivationFileSource(activations, hook: hook, seed: seed),
                    origin: .init(hook: hook, notes: notes(activations)), modelPath: nil)
            }
            let path = try place.modelPath(model)
            let inspected = try InspectedModel(path: path)
            let sequences = try texts.sequences(for: inspected)
            var options = ModelActivationSource.Options()
            options.seed = seed
            let source = try ModelActivationSource(
                inspected, hook: try inspected.hook(named: hook), sequences: sequences, options: options)
            source.isCancelled = isCancelled
            return Rows(
                source: source,
                origin: .init(
                    hook: hook, model: inspected.name,
                    notes: notes(texts.texts, ["context \(texts.context)", "limit \(texts.tokens ?? 0)"])),
                modelPath: ModelPath.absolute(path))
        }

        /// What it was trained on, as JSON: a training goes on with the same alone.
        private func notes(_ paths: [String], _ more: [String] = []) -> String {
            var json = JSONWriter()
            json.object { json in
                json.key("trained_on")
                json.array { json in
                    for path in paths {
                        json.string("\(path) \((try? FeatureStore.digest(ofFile: path)) ?? "")")
                    }
                    for part in more { json.string(part) }
                }
            }
            return json.text
        }

        private func configuration(width: Int) throws -> DictionaryConfiguration {
            let kind: DictionaryConfiguration.Kind =
                switch kind {
                case "batchtopk": .batchTopK(k)
                case "matryoshka":
                    .matryoshka(k, prefixes: [features / 8, features / 4, features / 2, features].filter { $0 >= k })
                case "relu": .reluL1(lambda: sparsity ?? 5)
                case "jumprelu":
                    .jumpReLU(
                        sparsity: .target(Double(k), weight: sparsity ?? 1), bandwidth: 0.05, threshold: 0.01)
                case "gated": .gated(lambda: sparsity ?? 1)
                default: .topK(k)
                }
            var configuration = DictionaryConfiguration(kind, features: features, steps: steps)
            configuration.batchRows = batch
            configuration.seed = seed
            configuration.learningRate = rate
            try configuration.check(width: width)
            return configuration
        }
    }
}
