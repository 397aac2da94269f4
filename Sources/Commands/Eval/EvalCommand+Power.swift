import ArgumentParser
import CommandSupport
import Console
import Evals
import Formatting
import JSON
import Statistics
import System

extension EvalCommand {
    struct Power: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "power", abstract: "Compute the sample size for an effect, or the detectable effect.",
            discussion: """
                orrery eval power --effect 0.03 prints how many paired samples are needed to detect a difference of \
                three points with a power of 80 %. orrery eval power --samples 500 prints the difference that 500 \
                samples can detect.
                """)

        @Option(help: "Difference to detect, such as 0.03.")
        var effect: Double?

        @Option(help: "Number of paired samples.")
        var samples: Int?

        @Option(help: "Variance of per-sample differences; 0.16 if 16 of 100 change.")
        var variance = 0.16

        @Option(help: "Variance of one sample's score across epochs.")
        var noise = 0.0

        @Option(help: "Epochs per run.")
        var epochs = 1

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard (effect == nil) != (samples == nil) else {
                throw ValidationError("exactly one of --effect or --samples is required.")
            }
            guard effect.map({ $0 > 0 && $0.isFinite }) ?? true else {
                throw ValidationError("--effect must be above 0.")
            }
            guard (samples ?? 2) > 1 else { throw ValidationError("--samples must be at least 2.") }
            guard variance >= 0, noise >= 0, variance + noise > 0, (variance + noise).isFinite, epochs > 0 else {
                throw ValidationError(
                    "--variance and --noise must be at least 0, with one of them above 0; --epochs must be at least 1.")
            }
        }

        func result(in options: JSONOption) throws -> Report<JSONObject> {
            let design = PairedDesign(
                betweenVariance: variance, varianceA: noise, epochsA: epochs, varianceB: noise, epochsB: epochs)
            let needed = effect.flatMap { design.sampleSize(effect: $0, alpha: 0.05, power: 0.8) }
            let smallest = samples.flatMap { design.smallestEffect(samples: $0) }
            guard needed != nil || smallest != nil else {
                throw Problem(
                    .missing, "", "no result for these values",
                    remedy: "Choose --effect or --samples closer to the scale of --variance.")
            }
            return Report(
                object: {
                    $0.member("samples", ifPresent: needed)
                    $0.member("effect", ifPresent: smallest)
                }, notes: ["two-sided test at 5 %, power 80 %; independent paired samples"]
            ) {
                needed.map { "samples \(Format.count($0))" } ?? smallest.map { "effect \(Format.metric($0))" } ?? ""
            }
        }
    }
}
