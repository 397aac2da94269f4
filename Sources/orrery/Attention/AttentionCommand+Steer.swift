import ArgumentParser
import Console
import Inference
import Interpretability
import LanguageModels
import Models

extension AttentionCommand {
    struct Steer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "steer",
            abstract: "Push a model along a direction while it writes; the untouched text stands beside it.",
            discussion: """
                The vector is one that orrery feature vector made; --times 1 is its unit. --control pushes along a random \
                direction of the same length: what any push of this strength does. KL is that of the untouched model's \
                next token from the changed one's, on the changed text, in nats.
                """)

        @OptionGroup var model: ModelFileArgument
        @OptionGroup var text: PromptOptions

        @Option(help: "The vector.", completion: .file(extensions: ["safetensors"]))
        var vector: String

        @Option(parsing: .unconditional, help: "How far: a multiple of the vector's unit.")
        var times: Float = 1

        @Flag(help: "Push along a random direction of the same length.")
        var control = false

        @Option(parsing: .unconditional, help: "From this token of the prompt on: from 0, or from its end as -1.")
        var from = 0

        @OptionGroup var answer: SteeredAnswerOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard times.isFinite else { throw ValidationError("--times takes a number.") }
        }

        func run() throws {
            try answering {
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
                output.json ? Output.json(report) : Output.result(report.text)
                if !output.json {
                    Output.note("\(steering.hook.name): \(Format.fixed(Double(times), digits: 2)) × \(steering.method)")
                }
            }
        }
    }
}

/// How a steered text is drawn.
struct SteeredAnswerOptions: ParsableArguments {
    @Option(name: .customLong("max-tokens"), help: "Tokens of the answer.")
    var most = 64

    @Option(help: "0 takes the best token each time.")
    var temperature = 0.0

    @Option(help: "Of the draws.")
    var seed: UInt64 = 0

    func validate() throws {
        guard (1...100_000).contains(most), temperature >= 0, temperature.isFinite else {
            throw ValidationError("--max-tokens takes 1 to 100000, --temperature 0 or more.")
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
