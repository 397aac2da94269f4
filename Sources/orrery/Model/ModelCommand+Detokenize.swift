import ArgumentParser
import JSON
import Models
import Tokenizers

extension ModelCommand {
    /// Answers lines of ids with the texts that they stand for, as JSON strings: the way back from `tokenize --lines`.
    struct Detokenize: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "detokenize", shouldDisplay: false)

        @OptionGroup var model: ModelFileArgument

        func run() throws {
            try answering {
                let path = try model.path()
                guard let tokenizer = try Checkpoints.tokenizer(path) else {
                    throw Failure("\(path): there is no tokenizer in it or beside it.")
                }
                var lines = JSONWriter()
                var number = 0
                while let line = readLine() {
                    number += 1
                    let ids = line.split(separator: " ").map { TokenID($0) }
                    guard !ids.contains(nil) else { throw Failure("line \(number) holds something else than ids.") }
                    lines.string(tokenizer.decode(ids.compactMap(\.self), skippingSpecialTokens: false))
                    Output.result(lines.text)
                    lines.removeAll()
                }
            }
        }
    }
}
