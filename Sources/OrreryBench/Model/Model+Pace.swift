import ArgumentParser
import CommandSupport
import Inference
import JSON
import Kernels
import Models
import Tokenizers

extension Bench.Model {
    /// Runs passes as requested by lines of standard input, so that measurements can alternate between two engines:
    /// `prompt 128` reads 128 tokens at once, and `write 64` runs 64 tokens one by one. Tokens are not sampled.
    struct Pace: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "pace")

        @OptionGroup var model: ModelFileArgument
        @Option(help: "Number of threads.") var threads: Int = 1

        func run() throws {
            try answering {
                let clock = ContinuousClock()
                let start = clock.now
                let checkpoint = try Checkpoints.open(try model.path())
                let transformer = try Transformer.load(checkpoint)
                let pass = ForwardPass(pool: ThreadPool(threads: threads))
                let pages = KVPagePool(try KVLayout(checkpoint.configuration), budget: 4 << 30)
                Self.say("seconds_to_open", start.duration(to: clock.now) / .seconds(1))
                var random = SeededChoices(seed: 1)
                while let line = readLine() {
                    let words = line.split(separator: " ")
                    guard words.count == 2, let count = Int(words[1]), count > 0,
                        words[0] == "prompt" || words[0] == "write"
                    else { throw Failure("unknown request. Write prompt N or write N.") }
                    let ids = (0..<count).map { _ in
                        TokenID(random.below(transformer.configuration.vocabularySize))
                    }
                    let parts = words[0] == "prompt" ? [ids] : ids.map { [$0] }
                    let start = clock.now
                    let cache = KVSequence(pages)
                    for part in parts { _ = try transformer.forward([Segment(part, cache: cache)], in: pass) }
                    Self.say("tokens_per_second", Double(count) / (start.duration(to: clock.now) / .seconds(1)))
                }
            }
        }

        private static func say(_ name: String, _ value: Double) {
            var json = JSONWriter()
            json.object { $0.member(name, value) }
            Output.result(json.text)
        }
    }
}
