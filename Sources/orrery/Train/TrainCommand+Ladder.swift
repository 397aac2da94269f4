import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Training
import Workspace

extension TrainCommand {
    struct Ladder: ParsableCommand {
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

        @OptionGroup var output: JSONOption

        func validate() throws {
            let checks = [
                (1...100_000, steps, "--steps"), (1...65_536, inputs, "--inputs"), (1...65_536, hidden, "--hidden"),
                (1...2048, batch, "--batch"),
            ]
            for (range, value, name) in checks where !range.contains(value) {
                throw ValidationError("\(name) must be \(range.lowerBound) to \(range.upperBound).")
            }
        }

        func run() throws {
            try answering {
                let problem = try ClassifierProblem(inputs: inputs, hidden: hidden, batch: batch)
                let cancellation = Cancellation()
                let results = try Interruption.cancelling(cancellation) {
                    try FourWays.run(problem, steps: steps, isCancelled: { cancellation.isCancelled })
                }
                output.json ? Output.json(LadderReport(results)) : Self.show(results)
            }
        }

        private static func show(_ results: [FourWays.Result]) {
            let slowest = results.first?.stepsPerSecond ?? 1
            var table = TextTable(
                ["", "steps/s", "", "GFLOP/s", "first loss", "last loss", ""], rightAligned: [1, 2, 3, 4, 5])
            for result in results {
                table.add([
                    result.name, Format.compact(result.stepsPerSecond),
                    "\(Format.compact(result.stepsPerSecond / slowest))×",
                    Format.compact(result.flopsPerSecond / 1e9), loss(result.losses.first), loss(result.losses.last),
                    result.idea,
                ])
            }
            Output.result(table.text)
            Output.note("largest loss difference: \(Format.compact(Double(FourWays.worstDifference(results))))")
        }

        private static func loss(_ value: Float?) -> String { value.map { Format.fixed(Double($0), digits: 5) } ?? "" }
    }
}

private struct LadderReport: JSONRepresentable {
    let results: [FourWays.Result]

    init(_ results: [FourWays.Result]) { self.results = results }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("ways") { json in
                json.array { json in
                    for result in results {
                        json.object {
                            $0.member("name", result.name)
                            $0.member("idea", result.idea)
                            $0.member("steps_per_second", result.stepsPerSecond)
                            $0.member("flops_per_second", result.flopsPerSecond)
                            $0.member("losses", result.losses.map(Double.init))
                        }
                    }
                }
            }
            json.member("worst_difference", Double(FourWays.worstDifference(results)))
        }
    }
}
