import ArgumentParser
import CommandSupport
import Configuration
import Console
import KernelLab
import Kernels
import Presentation
import System
import Tables
import Training

extension KernelCommand {
    struct Estimate: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "estimate", abstract: "Estimate a model's memory, training time, and tokens/s.",
            discussion: "Describe the model with options or with the config.json of a Hugging Face folder.")

        @Argument(help: "Hugging Face config.json.", completion: .file(extensions: ["json"]))
        var config: String?

        @Option(help: "Number of parameters, such as 8e9.") var parameters: Double?
        @Option(help: "Number of layers.") var layers: Int?
        @Option(help: "Width of the residual stream.") var hidden: Int?
        @Option(help: "Number of attention heads.") var heads: Int?
        @Option(help: "Key-value heads (default: --heads).") var kvHeads: Int?
        @Option(help: "Head width (default: hidden / heads).") var headWidth: Int?
        @Option(help: "Vocabulary size.") var vocabulary: Int = 32_000
        @Option(help: "Maximum context length in tokens.") var context: Int?
        @Option(help: "Training tokens (default: 20 per parameter).") var tokens: Double?
        @Option(help: "Tokens per sequence (default: --context).") var sequence: Int?
        @Option(help: "Sequences served concurrently.") var batch: Int = 1
        @Option(help: "Micro-batch: training sequences per device.") var microBatch: Int = 1
        @Option(help: "Number of training devices.") var devices: Int = 1
        @Option(help: "ZeRO stage, 0 to 3.") var zero: Int = 0
        @Option(help: "Bytes per weight when serving, such as 2 or 0.5625.") var weightBytes: Double = 2
        @Option(help: "Bytes per element of the KV cache.") var cacheBytes: Double = 2
        @Option(help: "Fraction of the peak that training reaches.") var utilization: Double = 0.4
        @Option(help: "Training precision: full or mixed.") var precision: String = "mixed"
        @Option(help: "Optimizer: \(Estimate.optimizers.map(\.name).joined(separator: ", ")).")
        var optimizer: String = EstimateRequest.Optimizer.adam.name
        @Option(help: "Activation recomputation: none, selective, or full.")
        var recompute: String = "none"
        @Option(help: "Device: a name from kernel devices, or here (measured).")
        var device: String?

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var peaks: PeakOptions
        @OptionGroup var reading: JSONOption

        func result(in options: JSONOption) throws -> Report<KernelEstimate> {
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
            request.optimizer = try Self.optimizer(optimizer)
            request.recompute = try Self.choice(recompute, "--recompute")
            if device == "here" {
                try useThisMachine(&request)
            } else if let device {
                let catalog = try peaks.catalog()
                guard let found = catalog.peaks(for: device) else {
                    throw Problem(
                        .unknown, "", "unknown device \"\(device)\"",
                        remedy: "To list devices, run: orrery kernel devices")
                }
                request.use(found)
            }
            let estimate = try KernelEstimate(request)
            return Report(estimate) {
                estimate.groups.map { group in
                    let rows = group.lines.map { line in
                        ["  " + line.name, FigureText.estimate(line), line.formula, line.note ?? ""]
                    }
                    return group.title + "\n" + PlainTable.text(rows, [.left, .right, .left, .left]) + "\n\n"
                }.joined()
            }
        }

        /// Optimizers whose memory can be estimated: common ones, then those of `orrery train`.
        private static var optimizers: [EstimateRequest.Optimizer] {
            let general: [EstimateRequest.Optimizer] = [.adam, .adam8bit, .momentum, .sgd]
            let rules = UpdateRules.standard.all.filter { rule in !general.contains { $0.name == rule.name } }
            return general + rules.map { .init(name: $0.name, bytesPerParameter: Double($0.bytesPerElement)) }
        }

        private static func optimizer(_ name: String) throws -> EstimateRequest.Optimizer {
            if let optimizer = optimizers.first(where: { $0.name == name }) { return optimizer }
            let names = optimizers.map(\.name)
            throw ValidationError(
                "--optimizer must be one of \(names.joined(separator: ", "))."
                    + NearestName.question(about: name, among: names)
            )
        }

        private static func choice<Choice: RawRepresentable & CaseIterable>(
            _ word: String, _ option: String
        ) throws -> Choice where Choice.RawValue == String {
            if let choice = Choice(rawValue: word) { return choice }
            throw ValidationError(
                "\(option) must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
        }

        /// Uses the peak and bandwidth measured on this machine with all threads.
        private func useThisMachine(_ request: inout EstimateRequest) throws {
            let kept = try KernelCommand.lastCeilings(place)
            guard let set = kept.sets.last else { return }
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
                throw ValidationError("config.json, or --parameters, --layers, --hidden, and --heads, are required.")
            }
            return ModelDescription(
                name: "model", parameters: parameters, layers: layers, hidden: hidden, heads: heads,
                kvHeads: kvHeads, headWidth: headWidth, vocabulary: vocabulary,
                context: context ?? 4096)
        }
    }
}
