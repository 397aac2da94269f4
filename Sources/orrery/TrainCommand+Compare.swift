import ArgumentParser
import JSON
import Kernels
import Tensors
import Training

extension TrainCommand {
    /// Our side of the comparisons with other libraries: `Benchmarks/` writes the file and reads the answer.
    struct Compare: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run a small training job from the weights and data of a file.", shouldDisplay: false)

        @Argument(help: "gpt, mlp, conv or adamw.")
        var job: String

        @Argument(help: "A safetensors file with weights and data.", completion: .file())
        var file: String

        @Option(help: "Steps that are measured.")
        var steps: Int = 20

        @Option(help: "Steps before them.")
        var warmUp: Int = 5

        func run() throws {
            try answering {
                guard let type = Comparison.all.first(where: { $0.name == job }) else {
                    let names = Comparison.all.map { $0.name }.joined(separator: ", ")
                    throw Failure("there is no job \(job); take one of \(names).")
                }
                let result = try Comparison.run(type, ComparisonFile(file), warmUp: warmUp, steps: steps)
                Output.json(ComparisonReport(result: result))
            }
        }
    }
}

private struct ComparisonReport: JSONRepresentable {
    let result: Comparison.Result

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("losses", result.losses.map(Double.init))
            $0.member("seconds", result.seconds)
            $0.member("flops_per_step", result.flopsPerStep)
            $0.member("threads", ThreadPool.shared.threads)
        }
    }
}
