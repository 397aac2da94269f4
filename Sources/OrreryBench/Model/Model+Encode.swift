import ArgumentParser
import CommandSupport
import JSON
import Models
import Tokenizers

extension Bench.Model {
    /// Encodes JSON strings, one per line, repeatedly, and reports the speed in bytes of text per second.
    struct Encode: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "encode")

        @OptionGroup var model: ModelFileArgument
        @Option(help: "Number of measured rounds.") var repetitions = 1

        func run() throws {
            try answering {
                let path = try model.path()
                guard let tokenizer = try Checkpoints.tokenizer(path) else {
                    throw Failure("\(path): no tokenizer in the model file or folder. Add a tokenizer.json.")
                }
                let parser = JSONParser()
                var texts: [String] = []
                while let line = readLine() {
                    if let text = try parser.parse(line, { $0.string }) { texts.append(text) }
                }
                let bytes = texts.reduce(0) { $0 + $1.utf8.count }
                var rates: [Double] = []
                var count = 0
                for _ in 0..<max(1, repetitions) {
                    let start = ContinuousClock.now
                    count = texts.reduce(0) { $0 + tokenizer.encode($1, addingSpecialTokens: false).count }
                    rates.append(Double(bytes) / (start.duration(to: .now) / .seconds(1)))
                }
                var json = JSONWriter()
                json.object {
                    $0.member("bytes", bytes)
                    $0.member("tokens", count)
                    $0.member("bytes_per_second", rates)
                }
                Output.result(json.text)
            }
        }
    }
}
