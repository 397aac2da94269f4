import ArgumentParser
import CommandSupport
import JSON
import Kernels
import System
import Tensors
import Training

extension Bench.Train {
    /// Runs the Orrery side of comparisons with other libraries; `Benchmarks/` writes the file and reads the result.
    struct Compare: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare", abstract: "Run a small training job with weights and data from a file.")

        @Argument(help: "Job: gpt, mlp, conv, or adamw.")
        var job: String

        @Argument(help: "Safetensors file with weights and data.", completion: .file())
        var file: String

        @Option(help: "Number of measured steps.")
        var steps: Int = 20

        @Option(help: "Number of warm-up steps.")
        var warmUp: Int = 5

        @Option(help: "Write only the first step's gradients, to FILE.")
        var gradients: String?

        func validate() throws {
            guard (1...1_000_000).contains(steps), (0...1_000_000).contains(warmUp) else {
                throw ValidationError("--steps must be 1 to 1,000,000, and --warm-up 0 to 1,000,000.")
            }
        }

        func run() throws {
            try answering {
                guard let type = Comparison.all.first(where: { $0.name == job }) else {
                    let names = Comparison.all.map { $0.name }.joined(separator: ", ")
                    throw Problem(.unknown, "", "unknown job \"\(job)\"", remedy: "Use one of \(names).")
                }
                let input = try ComparisonFile(file)
                if let gradients { return try writeGradients(of: type.init(input), to: gradients) }
                let result = try Comparison.run(type, input, warmUp: warmUp, steps: steps)
                Output.json(ComparisonReport(result: result))
            }
        }

        private func writeGradients(of job: some ComparisonJob, to path: String) throws {
            var job = job
            try job.loss().backward()
            try TensorFile.write(
                job.parameters.compactMap { parameter in
                    parameter.gradient.map { (parameter.name, AnyTensor($0)) }
                }, to: path)
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
