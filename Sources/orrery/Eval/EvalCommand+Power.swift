import ArgumentParser
import Console
import Evals
import JSON
import Statistics

extension EvalCommand {
    struct Power: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "power", abstract: "How many samples a comparison needs, or which difference so many can see.",
            discussion: """
                orrery eval power --effect 0.03 says how many paired samples show three points in 80 of 100 cases; orrery \
                eval power --samples 500 says which difference 500 can show.
                """)

        @Option(help: "The difference that is to be seen: 0.03.")
        var effect: Double?

        @Option(help: "How many samples there are.")
        var samples: Int?

        @Option(help: "The variance of a sample's own difference between two models; 0.16 where 16 of 100 change.")
        var variance = 0.16

        @Option(help: "The variance of one sample's score from epoch to epoch.")
        var noise = 0.0

        @Option(help: "Epochs of either run.")
        var epochs = 1

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (effect == nil) != (samples == nil) else { throw ValidationError("name --effect or --samples.") }
            guard effect.map({ $0 > 0 && $0.isFinite }) ?? true else {
                throw ValidationError("--effect takes more than 0.")
            }
            guard (samples ?? 2) > 1 else { throw ValidationError("--samples takes 2 or more.") }
            guard variance >= 0, noise >= 0, variance + noise > 0, (variance + noise).isFinite, epochs > 0 else {
                throw ValidationError("--variance and --noise take 0 or more, not both 0; --epochs takes 1 or more.")
            }
        }

        func run() throws {
            try answering {
                let design = PairedDesign(
                    betweenVariance: variance, varianceA: noise, epochsA: epochs, varianceB: noise, epochsB: epochs)
                let needed = effect.flatMap { design.sampleSize(effect: $0, alpha: 0.05, power: 0.8) }
                let smallest = samples.flatMap { design.smallestEffect(samples: $0) }
                guard needed != nil || smallest != nil else {
                    throw Failure(
                        "these figures are too far from each other for an answer: take an effect or a number of samples "
                            + "nearer to the variance.")
                }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object {
                        $0.member("samples", ifPresent: needed)
                        $0.member("effect", ifPresent: smallest)
                    }
                    return Output.result(json.text)
                }
                if let needed { Output.result("samples \(Format.count(needed))") }
                if let smallest { Output.result("effect \(EvalFigure.value(smallest))") }
                Output.note("two-sided at 5 %, with a power of 80 %; paired samples, each on its own")
            }
        }
    }
}
