import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Tables
import Training
import Workspace

extension TrainCommand {
    struct Ladder: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "ladder", abstract: "Train one classifier four times: loops, tensors, kernels, autograd.",
            discussion: """
                The same network starts from the same weights and reads the same batches in four implementations. The \
                speeds show what each implementation costs; equal loss curves show that all four compute the same \
                result.
                """)

        @Option(help: "Training steps per implementation.")
        var steps: Int = 20

        @Option(help: "Values per example.")
        var inputs: Int = 784

        @Option(help: "Hidden units.")
        var hidden: Int = 256

        @Option(help: "Examples per step.")
        var batch: Int = 128

        @OptionGroup var reading: TableOptions

        func validate() throws {
            let checks = [
                (1...100_000, steps, "--steps"), (1...65_536, inputs, "--inputs"), (1...65_536, hidden, "--hidden"),
                (1...2048, batch, "--batch"),
            ]
            for (range, value, name) in checks where !range.contains(value) {
                throw ValidationError("\(name) must be \(range.lowerBound) to \(range.upperBound).")
            }
        }

        func result(in options: TableOptions) throws -> Listing<FourWays.Result> {
            let problem = try ClassifierProblem(inputs: inputs, hidden: hidden, batch: batch)
            let cancellation = Cancellation()
            let results = try Interruption.cancelling(cancellation) {
                try FourWays.run(problem, steps: steps, isCancelled: { cancellation.isCancelled })
            }
            let difference = Double(FourWays.worstDifference(results))
            return Listing(
                results, "ways", notes: ["largest loss difference: \(Format.compact(difference))"],
                members: { $0.member("worst_difference", difference) }
            ) { table in
                let slowest = results.first?.stepsPerSecond ?? 1
                table.text("", json: "name", \.name)
                table.member("idea", \.idea)
                table.text("steps/s", json: "steps_per_second", align: .right, \.stepsPerSecond) { Format.compact($0) }
                table.text("", align: .right) { "\(Format.compact($0.stepsPerSecond / slowest))×" }
                table.text("GFLOP/s", json: "flops_per_second", align: .right, \.flopsPerSecond) {
                    Format.compact($0 / 1e9)
                }
                table.text("first loss", align: .right) { Self.loss($0.losses.first) }
                table.text("last loss", align: .right) { Self.loss($0.losses.last) }
                table.member("losses") { $0.losses.map(Double.init) }
                table.text("", \.idea)
            }
        }

        private static func loss(_ value: Float?) -> String { value.map { Format.fixed(Double($0), digits: 5) } ?? "" }
    }
}
