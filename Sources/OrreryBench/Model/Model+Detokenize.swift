import ArgumentParser
import CommandSupport
import JSON
import Models
import System
import Tokenizers

extension Bench.Model {
    /// Decodes each line of token ids into a JSON string: the inverse of `tokenize --lines`.
    struct Detokenize: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "detokenize")

        @OptionGroup var model: ModelFileArgument

        func run() throws {
            try answering {
                let path = try model.path()
                guard let tokenizer = try Checkpoints.tokenizer(path) else {
                    throw Problem(
                        .missing, path, "no tokenizer in the model file or folder", remedy: "Add a tokenizer.json.")
                }
                var lines = JSONWriter()
                var number = 0
                while let line = readLine() {
                    number += 1
                    let ids = line.split(separator: " ").map { TokenID($0) }
                    guard !ids.contains(nil) else {
                        throw Problem(.invalid, "", "line \(number) must contain token ids separated by spaces")
                    }
                    lines.string(tokenizer.decode(ids.compactMap(\.self), skippingSpecialTokens: false))
                    Output.result(lines.text)
                    lines.removeAll()
                }
            }
        }
    }
}
