import ArgumentParser
import CommandSupport
import Kernels
import Models
import Tensors

extension Bench.Model {
    /// Writes the decoded numbers of one tensor, to compare the decoding of every format.
    struct DecodedTensor: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "decode-tensor")

        @OptionGroup var model: ModelFileArgument
        @Argument(help: "Tensor name in GGUF.") var tensor: String
        @Option(help: "Output file (.npy): [rows, columns] of float32.") var to: String

        func run() throws {
            try answering {
                let path = try model.path()
                let checkpoint = try Checkpoints.open(path)
                guard let shape = checkpoint.shape(of: tensor) else {
                    throw Failure(
                        "\(path): unknown tensor \(tensor). To list tensors, run: orrery model inspect --tensors")
                }
                var values: [Float]
                switch shape.count {
                case 1: values = try checkpoint.vector(tensor, count: shape[0])
                case 2:
                    let matrix = try checkpoint.matrix(tensor, rows: shape[0], columns: shape[1])
                    values = [Float](repeating: 0, count: shape[0] * shape[1])
                    values.withUnsafeMutableBufferPointer { numbers in
                        guard let first = numbers.baseAddress else { return }
                        matrix.decode(rows: 0..<shape[0], into: first)
                    }
                default: throw Failure("\(tensor) has \(shape.count) axes. Choose a matrix or a vector.")
                }
                try TensorFile.write(.float32(try Tensor(values, shape: shape)), to: to)
            }
        }
    }
}
