import ArgumentParser
import CommandSupport
import Inference
import Kernels
import Models
import Providers
import System
import Tensors
import Tokenizers

extension Bench.Model {
    /// Writes the logits at every position of a list of tokens, for comparison with reference implementations.
    struct LogitsOfTokens: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "logits")

        @OptionGroup var model: ModelFileArgument
        @Option(help: "Token ids, separated by spaces.") var ids: String
        @Option(help: "Output file (.npy): [tokens, vocabulary].") var to: String
        @Option var threads: Int?
        @Option(help: "Tokens per forward pass; 0 for all.") var chunk: Int = 0
        @Option(help: "LoRA adapter folder in PEFT format.") var adapter: String?
        @Flag(help: "Merge the adapter into the weights before the run.") var merge = false

        func run() throws {
            try answering {
                let tokens = ids.split(separator: " ").map { TokenID($0) }
                guard !tokens.isEmpty, !tokens.contains(nil) else {
                    throw Problem(.invalid, "", "--ids must be whole numbers separated by spaces")
                }
                let ids = tokens.compactMap(\.self)
                let checkpoint = try Checkpoints.open(try model.path())
                let change = try adapter.map { try Adapter.load($0, for: checkpoint.configuration) }
                let merged = merge ? try change?.merged(into: checkpoint) : nil
                let transformer = try Transformer.load(merged ?? checkpoint)
                let pass = ForwardPass(pool: threads.map { .init(threads: $0) } ?? .shared)
                if !merge { pass.adapter = change }
                let cache = ContiguousKeyValues(transformer.configuration, capacity: ids.count)
                var rows: [Float] = []
                for start in stride(from: 0, to: ids.count, by: chunk > 0 ? chunk : ids.count) {
                    let part = Array(ids[start..<min(ids.count, start + (chunk > 0 ? chunk : ids.count))])
                    let logits = try transformer.forward([Segment(part, cache: cache, outputs: .all)], in: pass)
                    for row in 0..<logits.rows { rows += logits[row] }
                }
                let tensor = try Tensor(rows, shape: [ids.count, transformer.configuration.vocabularySize])
                try TensorFile.write(.float32(tensor), to: to)
            }
        }
    }
}
