import ArgumentParser
import CommandSupport
import Console
import FeatureLab
import Glibc
import Interpretability
import JSON
import ModelLab
import Models
import System
import Workspace

extension FeatureCommand {
    struct Train: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "train",
            abstract: "Train a sparse autoencoder on activations from a model or from files.",
            discussion: """
                Rows are streamed from the hook while the model reads the texts, and are mixed in a buffer. Kinds: \
                topk (k largest, with a loss that revives dead features), batchtopk, matryoshka, relu (L1), jumprelu, \
                and gated. The result is a folder in sae-lens layout, which is added to the workspace. To resume a \
                stopped run, repeat the command; --afresh starts over.
                """)

        @Argument(help: "Model name, or path of a model file or folder.", completion: .file())
        var model: String?

        @Option(help: "Hook, such as blocks.3.hook_resid_post.")
        var hook: String

        @OptionGroup var texts: TextsOptions

        @Option(
            parsing: .upToNextOption, help: "Activation files instead of a model: .safetensors, .npy.",
            completion: .file())
        var activations: [String] = []

        @Option(help: "Kind: topk, batchtopk, matryoshka, relu, jumprelu, or gated.")
        var kind = "topk"

        @Option(help: "Number of features.")
        var features = 1536

        @Option(help: "Active features per token: exact (topk kinds) or target (jumprelu).")
        var k = 16

        @Option(help: "Sparsity weight of relu and gated.")
        var sparsity: Double?

        @Option(help: "Training steps.")
        var steps = 3000

        @Option(help: "Rows per step.")
        var batch = 1024

        @Option(help: "Learning rate (default: depends on the number of features).")
        var rate: Double?

        @Option(help: "Seed for weights and order.")
        var seed: UInt64 = 0

        @Option(help: "Dictionary name (default: folder name).")
        var name: String?

        @Option(name: [.customShort("o"), .customLong("output")], help: "Folder to write.", completion: .directory)
        var folder: String

        @Flag(help: "Start over instead of resuming a stopped run.")
        var afresh = false

        @Flag(help: "Overwrite an existing dictionary in the folder.")
        var force = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (model == nil) != activations.isEmpty else {
                throw ValidationError("a model with --texts, or files with --activations, are required.")
            }
            guard model == nil || !texts.texts.isEmpty else {
                throw ValidationError("--texts is required with a model.")
            }
            guard ["topk", "batchtopk", "matryoshka", "relu", "jumprelu", "gated"].contains(kind) else {
                throw ValidationError("--kind must be topk, batchtopk, matryoshka, relu, jumprelu, or gated.")
            }
            guard (1...10_000_000).contains(steps), (1...1_000_000).contains(batch) else {
                throw ValidationError("--steps must be 1 to 10,000,000, and --batch 1 to 1,000,000.")
            }
            guard (1...16_777_216).contains(features), (1...features).contains(k) else {
                throw ValidationError("--features must be 1 to 16,777,216, and --k at most --features.")
            }
            guard (rate ?? 1) > 0, (rate ?? 1).isFinite, (sparsity ?? 1) > 0, (sparsity ?? 1).isFinite else {
                throw ValidationError("--rate and --sparsity must be above 0.")
            }
        }

        func run() throws {
            try answering {
                let store = FeatureStore(try place.open())
                let name = name ?? ModelPath.name(of: folder)
                try prepare(name, store)
                // If training never started, remove the empty folder; rmdir does not remove a folder with files.
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
                } catch is Problem where cancelling.isCancelled && !checkpoints.files.isEmpty {
                    throw Problem(
                        .cancelled, "", "canceled", remedy: "Run the same command to resume from \(checkpoints.folder)."
                    )
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

        /// The folder without trailing slashes: checkpoints are stored next to it.
        private var trimmed: String {
            var path = folder
            while path.count > 1, path.last == "/" { path.removeLast() }
            return path
        }

        /// Checks early what would otherwise fail only after hours.
        private func prepare(_ name: String, _ store: FeatureStore) throws {
            let known = try store.dictionaries()
            if known.contains(where: { $0.name == name }) {
                throw Problem(
                    .invalid, "", "a dictionary named \(name) already exists in this workspace",
                    remedy: "Choose another --name.")
            }
            let place = ModelPath.absolute(folder)
            if let other = known.first(where: { $0.path == place }) {
                throw Problem(
                    .invalid, "", "\(folder) contains dictionary \(other.name) of this workspace",
                    remedy: "Choose another folder, or remove the dictionary with orrery feature delete.")
            }
            guard force || access(folder + "/cfg.json", F_OK) != 0 else {
                throw Problem(
                    .invalid, "", "\(folder) already contains a dictionary",
                    remedy: "Overwrite it with --force, or choose another folder.")
            }
            if mkdir(folder, 0o777) != 0, errno != EEXIST {
                throw Problem(
                    .failed, folder, "cannot create the folder: \(String(cString: strerror(errno)))",
                    remedy: "Choose another -o.")
            }
            guard access(folder + "/.", W_OK) == 0 else {
                throw Problem(
                    .failed, folder, "cannot write to the folder: \(String(cString: strerror(errno)))",
                    remedy: "Choose another -o.")
            }
        }

        /// Returns a new trainer, or one that resumes from a checkpoint.
        ///
        /// - Throws: `Problem` if the checkpoint in this folder belongs to a different training.
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
                throw Problem(
                    .invalid, "",
                    "\(checkpoints.folder) contains a training run with different settings, texts, or model, "
                        + "stopped at step \(begun.step)",
                    remedy: "Use the original options to resume, or add --afresh to start over.")
            }
            Output.note("resuming after step \(begun.step) of \(steps)")
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

        /// Returns the training inputs as JSON: training resumes only with the same inputs.
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
