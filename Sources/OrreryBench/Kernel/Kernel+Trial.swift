import ArgumentParser
import CommandSupport
import KernelLab
import Kernels
import Workspace

extension Bench.Kernel {
    /// Measures how often unchanged kernels are reported as slower, and slowed kernels detected.
    struct Trial: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trial", abstract: "Test the regression detection on this machine.")

        @Option var operation: String = "gemm-f32"
        @Option var size: String = "256"
        @Option var variant: String?
        @Option var repeats: Int = 300
        @Option var planted: Int = 40
        @Option var slowdown: Double = 0.05

        func run() throws {
            try answering {
                let line = FractionLine("testing")
                defer { line.end() }
                let cancellation = Cancellation()
                let trial = try Interruption.cancelling(cancellation) {
                    let operation = try KernelCatalog.operation(operation)
                    return try RegressionTrial.run(
                        operation: operation, variant: variant, shape: try operation.shape(size), repeats: repeats,
                        planted: planted, slowdown: slowdown,
                        progress: { line.show($0.fraction, $0.activity) }, cancellation: cancellation)
                }
                line.end()
                Output.json(trial)
            }
        }
    }
}
