import ArgumentParser
import Console
import KernelLab
import Kernels
import Workbench

extension KernelCommand {
    struct Estimate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "estimate", abstract: "Work out what a model needs: memory, training time, tokens a second.",
            discussion: "A model is described by options, or by the config.json of a Hugging Face folder.")

        @Argument(help: "A config.json.", completion: .file(extensions: ["json"]))
        var config: String?

        @Option(help: "Parameters: 8e9.") var parameters: Double?
        @Option(help: "Layers.") var layers: Int?
        @Option(help: "Width of the residual stream.") var hidden: Int?
        @Option(help: "Attention heads.") var heads: Int?
        @Option(help: "Key and value heads; as many as heads where not given.") var kvHeads: Int?
        @Option(help: "Width of a head; hidden / heads where not given.") var headWidth: Int?
        @Option(help: "Tokens of the vocabulary.") var vocabulary: Int = 32_000
        @Option(help: "Longest context in tokens.") var context: Int?
        @Option(help: "Tokens of the training; 20 a parameter where not given.") var tokens: Double?
        @Option(help: "Tokens of a sequence; the whole context where that is given.") var sequence: Int?
        @Option(help: "Sequences served at once.") var batch: Int = 1
        @Option(help: "Sequences a device trains on at once.") var microBatch: Int = 1
        @Option(help: "Devices that training is spread over.") var devices: Int = 1
        @Option(help: "ZeRO stage, 0 to 3.") var zero: Int = 0
        @Option(help: "Bytes a weight when serving: 2, 1, 0.5625.") var weightBytes: Double = 2
        @Option(help: "Bytes an element of the KV cache.") var cacheBytes: Double = 2
        @Option(help: "Share of the peak that training reaches.") var utilization: Double = 0.4
        @Option(help: "full or mixed: what numbers training is done in.") var precision: String = "mixed"
        @Option(help: "adam, adam-8bit, momentum or sgd.") var optimizer: String = "adam"
        @Option(help: "none, selective or full: what is worked out again for the backward pass.")
        var recompute: String = "none"
        @Option(help: "A device of kernel devices, for times and rates; here takes what kernel ceilings measured.")
        var device: String?

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var peaks: PeakOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                var request = EstimateRequest(model: try model())
                if let tokens { request.trainingTokens = tokens }
                if let length = sequence ?? context { request.sequence = length }
                request.batch = batch
                request.microBatch = microBatch
                request.devices = devices
                request.zeroStage = zero
                request.weightBytes = weightBytes
                request.cacheBytes = cacheBytes
                request.utilization = utilization
                request.precision = try Self.choice(precision, "--precision")
                request.optimizer = try Self.choice(optimizer, "--optimizer")
                request.recompute = try Self.choice(recompute, "--recompute")
                if device == "here" {
                    try useThisMachine(&request)
                } else if let device {
                    let catalog = try peaks.catalog()
                    guard let found = catalog.peaks(for: device) else {
                        throw Failure("no device \(device) is known: orrery kernel devices lists them.")
                    }
                    request.use(found)
                }
                let estimate = try KernelEstimate(request)
                if output.json { return Output.json(estimate) }
                for group in estimate.groups {
                    Output.result(group.title)
                    var table = TextTable(["", "", "", ""], rightAligned: [1])
                    for line in group.lines {
                        table.add(["  " + line.name, FigureText.estimate(line), line.formula, line.note ?? ""])
                    }
                    Output.result(
                        table.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(
                            separator: "\n"))
                    Output.result("")
                }
            }
        }

        private static func choice<Choice: RawRepresentable & CaseIterable>(
            _ word: String, _ option: String
        ) throws -> Choice where Choice.RawValue == String {
            if let choice = Choice(rawValue: word) { return choice }
            throw ValidationError("\(option) takes \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
        }

        /// The peak and bandwidth that were measured here, with all threads.
        private func useThisMachine(_ request: inout EstimateRequest) throws {
            let kept = place.isUnused ? nil : try KernelHistory(try place.openForReading()).latestCeilings()
            guard let kept, let set = kept.sets.last else {
                throw Failure("nothing was measured here yet: orrery kernel ceilings does.")
            }
            request.device = "\(kept.machine.processor), \(set.threads) threads"
            request.peak = kept.ceiling(threads: set.threads, arithmetic: .bfloat16)?.rate
            request.bandwidth = set.memory.first { $0.level == .memory && $0.kernel == .read }?.rate.median
            if let latency = kept.latencies.first(where: { $0.level == .memory }) {
                request.latency = latency.nanoseconds * 1e-9
            }
        }

        private func model() throws -> ModelDescription {
            if let config { return try ModelDescription(contentsOf: config) }
            guard let parameters, let layers, let hidden, let heads else {
                throw ValidationError("name a config.json, or give --parameters, --layers, --hidden and --heads.")
            }
            return ModelDescription(
                name: "model", parameters: parameters, layers: layers, hidden: hidden, heads: heads,
                kvHeads: kvHeads, headWidth: headWidth, vocabulary: vocabulary,
                context: context ?? 4096)
        }
    }
}
