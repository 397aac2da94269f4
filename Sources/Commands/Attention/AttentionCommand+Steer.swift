import ArgumentParser
import CommandSupport
import Console
import Formatting
import Inference
import Interpretability
import LanguageModels
import Models

extension AttentionCommand {
    struct Steer: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "steer",
            abstract: "Steer generation along a vector, and show the result next to the original text.",
            discussion: """
                Create the vector with orrery feature vector; --times is a multiple of its unit. --control uses a \
                random direction of the same length, to show the effect of any change of this size. KL is the \
                divergence between the next-token distributions of the original and the steered model on the steered \
                text, in nats.
                """)

        @OptionGroup var model: ModelFileArgument
        @OptionGroup var text: PromptOptions

        @Option(help: "Vector file.", completion: .file(extensions: ["safetensors"]))
        var vector: String

        @Option(parsing: .unconditional, help: "Strength as a multiple of the vector's unit.")
        var times: Float = 1

        @Flag(help: "Steer along a random direction of the same length.")
        var control = false

        @Option(parsing: .unconditional, help: "First prompt token to steer; negative counts from the end.")
        var from = 0

        @OptionGroup var answer: SteeredAnswerOptions
        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard times.isFinite else { throw ValidationError("--times must be a finite number.") }
        }

        func result(in options: JSONOption) throws -> Report<SteeringText> {
            let model = try InspectedModel(path: try model.path())
            let read = try SteeringVector.read(vector)
            let steering = try control ? read.randomControl(seed: answer.seed) : read
            let tokens = model.tokens(of: try text.text())
            let first = try TextPosition.resolve(from, of: tokens.count)
            let changes =
                steering.positionCount == 1
                ? [
                    LiveIntervention(
                        .steering(steering.hook, try steering.direction(), times: steering.coefficient(times)))
                ]
                : try steering.adding(times, at: .from(first)).map { LiveIntervention(.change($0)) }
            let report = try SteeringText(
                model, prompt: try text.text(), options: try answer.options(), from: from, most: answer.most,
                changes)
            let note = "\(steering.hook.name): \(Format.fixed(Double(times), digits: 2)) × \(steering.method)"
            return Report(report, notes: [note]) { report.text }
        }
    }
}

/// Sampling options for steered text.
struct SteeredAnswerOptions: ParsableArguments {
    @Option(name: .customLong("max-tokens"), help: "Maximum generated tokens.")
    var most = 64

    @Option(help: "Sampling temperature; 0 picks the most probable token.")
    var temperature = 0.0

    @Option(help: "Seed for sampling.")
    var seed: UInt64 = 0

    func validate() throws {
        guard (1...100_000).contains(most), temperature >= 0, temperature.isFinite else {
            throw ValidationError("--max-tokens must be 1 to 100,000, and --temperature at least 0.")
        }
    }

    func options() throws -> RunOptions {
        var options = RunOptions()
        options.chain = try ProcessorChain(Sampling(temperature: temperature, seed: seed))
        options.seed = seed
        options.keepsAttention = false
        return options
    }
}
