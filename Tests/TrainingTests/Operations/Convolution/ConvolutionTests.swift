import Tensors
import Testing
import Training

@Suite("Convolution and pooling")
struct ConvolutionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let single: @Sendable ([Variable<Float>]) throws(TensorError) -> Variable<Float>
        let double: @Sendable ([Variable<Double>]) throws(TensorError) -> Variable<Double>
        var inputs = ["x", "weight", "bias"]

        var testDescription: String { name }

        static func convolution(_ name: String, _ window: Window = Window(), groups: Int = 1) -> Case {
            Case(
                name: name,
                single: { v throws(TensorError) in
                    try conv2d(v[0], v[1], bias: v.count > 2 ? v[2] : nil, window, groups: groups)
                },
                double: { v throws(TensorError) in
                    try conv2d(v[0], v[1], bias: v.count > 2 ? v[2] : nil, window, groups: groups)
                })
        }

        static func maximum(_ name: String, _ size: (Int, Int), _ window: Window? = nil) -> Case {
            Case(
                name: name, single: { v throws(TensorError) in try maxPool2d(v[0], size, window) },
                double: { v throws(TensorError) in try maxPool2d(v[0], size, window) }, inputs: ["x"])
        }

        static func average(_ name: String, _ size: (Int, Int), _ window: Window? = nil) -> Case {
            Case(
                name: name, single: { v throws(TensorError) in try averagePool2d(v[0], size, window) },
                double: { v throws(TensorError) in try averagePool2d(v[0], size, window) }, inputs: ["x"])
        }

        static let all: [Case] = [
            .convolution("plain"), .convolution("same", Window(padding: 1)),
            Case(
                name: "no-bias",
                single: { v throws(TensorError) in try conv2d(v[0], v[1], Window(stride: [1], padding: [0, 2])) },
                double: { v throws(TensorError) in try conv2d(v[0], v[1], Window(stride: [1], padding: [0, 2])) },
                inputs: ["x", "weight"]),
            .convolution("strided", Window(stride: [2, 3], padding: [1, 2])),
            .convolution("dilated", Window(stride: [1], padding: [2], dilation: [2, 3])),
            .convolution("groups", Window(padding: 1), groups: 3),
            .convolution("depthwise", Window(stride: 2), groups: 4),
            .convolution("wide-padding", Window(padding: 3)),
            Case(
                name: "line",
                single: { v throws(TensorError) in
                    try conv1d(v[0], v[1], bias: v[2], Window(stride: 2, padding: 1, dilation: 2))
                },
                double: { v throws(TensorError) in
                    try conv1d(v[0], v[1], bias: v[2], Window(stride: 2, padding: 1, dilation: 2))
                }),
            .maximum("max", (2, 2)),
            .maximum("max-overlapping", (3, 2), Window(stride: [2, 1], padding: [1, 1])),
            .maximum("max-dilated", (2, 2), Window(stride: 2, dilation: 2)),
            Case(
                name: "relu-max", single: { v throws(TensorError) in try reluMaxPool2d(v[0], (2, 2)) },
                double: { v throws(TensorError) in try reluMaxPool2d(v[0], (2, 2)) }, inputs: ["x"]),
            .average("average", (2, 3)),
            .average("average-overlapping", (3, 3), Window(stride: 2, padding: 1)),
        ]
    }

    private static func golden() throws -> TensorFile {
        let tests = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        return try TensorFile.open("\(tests)/Goldens/convolution/convolution.safetensors")
    }

    private func worst<S: FloatingAccumulator>(_ found: Tensor<S>, _ expected: Tensor<Double>) -> Double {
        guard found.shape == expected.shape else { return .infinity }
        let scale = expected.elements.reduce(1e-30) { max($0, abs($1)) }
        return zip(found.elements, expected.elements).reduce(0) { worst, pair in
            let difference = abs(pair.0.float64 - pair.1) / scale
            return difference.isNaN ? .infinity : max(worst, difference)
        }
    }

    private func check<S: FloatingAccumulator>(
        _ name: String, _ inputs: [String], tolerance: Double,
        _ operation: ([Variable<S>]) throws(TensorError) -> Variable<S>
    ) throws {
        let file = try Self.golden()
        func tensor(_ role: String) throws -> Tensor<Double> {
            try file.tensor(named: "\(name)/\(role)", as: Double.self)
        }
        let leaves = try inputs.map { Variable.leaf(try tensor($0).converted(to: S.self)) }
        let y = try operation(leaves)
        #expect(worst(y.value, try tensor("y")) < tolerance)
        let gradients = try y.gradients(for: leaves, seed: tensor("dy").converted(to: S.self))
        for (role, gradient) in zip(inputs, gradients) {
            #expect(worst(gradient.value, try tensor("d\(role)")) < tolerance, "gradient of \(role)")
        }
    }

    @Test("agree with torch, forward and backward", arguments: Case.all)
    func agreement(of operation: Case) throws {
        try check(operation.name, operation.inputs, tolerance: 2e-6, operation.single)
        try check(operation.name, operation.inputs, tolerance: 1e-12, operation.double)
    }

    /// All but the largest: differences compute an operation twice for every number that goes in.
    @Test(
        "gradients are what differences say", arguments: Case.all.filter { $0.name != "same" && $0.name != "max" })
    func differences(of operation: Case) throws {
        let file = try Self.golden()
        let inputs = try operation.inputs.map { try file.tensor(named: "\(operation.name)/\($0)", as: Double.self) }
        // The output is weighed by dy and added up: the Jacobian of all outputs would take seconds.
        let dy = Variable(try file.tensor(named: "\(operation.name)/dy", as: Double.self))
        let failure = try GradientCheck().failure(
            of: { inputs throws(TensorError) in try (operation.double(inputs) * dy).sum() }, at: inputs)
        #expect(failure == nil, "\(failure?.sentence ?? "")")
    }

    @Test("only the gradients that are asked for are computed")
    func constants() throws {
        let x = Variable(try Tensor<Float>.normal([2, 1, 5, 5], seed: 1))
        let weight = Parameter("w", try Tensor<Float>.normal([3, 1, 3, 3], seed: 2))
        let bias = Parameter("b", try Tensor<Float>.normal([3], seed: 3), isTrainable: false)
        try conv2d(x, weight.variable, bias: bias.variable).sum().backward()
        #expect(weight.gradient?.shape == [3, 1, 3, 3])
        #expect(bias.gradient == nil)
        let leaf = Variable.leaf(x.value)
        let fixed = Variable(weight.value)
        #expect(
            try conv2d(leaf, fixed).gradients(for: [leaf], seed: Tensor(repeating: 1, shape: [2, 3, 3, 3]))[0].count
                == 50)
    }

    @Test("of equals the first gets the gradient, and a rectified window without a positive number none")
    func ties() throws {
        let x = Variable.leaf(try Tensor<Float>([1, 1, -2, -3, 1, 1, 0, -1], shape: [1, 1, 2, 4]))
        let plain = try maxPool2d(x, (2, 2))
        #expect(plain.value.elements == [1, 0])
        let seed = try Tensor<Float>([5, 7], shape: [1, 1, 1, 2])
        #expect(try plain.gradients(for: [x], seed: seed)[0].value.elements == [5, 0, 0, 0, 0, 0, 7, 0])
        let rectified = try reluMaxPool2d(x, (2, 2))
        #expect(rectified.value.elements == [1, 0])
        #expect(try rectified.gradients(for: [x], seed: seed)[0].value.elements == [5, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test("shapes that do not fit are refused in a sentence")
    func errors() throws {
        func zeros(_ shape: [Int]) throws -> Variable<Float> { Variable(try Tensor(repeating: 0, shape: shape)) }
        func sentence(_ body: () throws -> Variable<Float>) -> String {
            do { _ = try body() } catch { return "\(error)" }
            return "no error"
        }
        let x = try zeros([1, 2, 4, 4])
        let answers: [(String, String)] = [
            (sentence { try conv2d(x, zeros([1, 3, 2, 2])) }, "2 channels in 1 groups need kernels of 2"),
            (sentence { try conv2d(x, zeros([1, 2, 5, 2])) }, "the kernel is larger than the padded image"),
            (sentence { try conv2d(x, zeros([1, 2, 2, 2]), bias: zeros([2])) }, "the bias must have the shape [1]"),
            (sentence { try conv2d(x, zeros([1, 2, 2, 2]), Window(stride: 0)) }, "does not support stride [0]"),
            (sentence { try conv2d(x, zeros([2, 2])) }, "expected [batch, channel, row, column]"),
            (sentence { try conv2d(zeros([0, 2, 4, 4]), zeros([1, 2, 2, 2])) }, "sizes must be 1 to 2^30"),
            (sentence { try conv2d(x, zeros([1, 2, 2, 2]), Window(padding: 1 << 30)) }, "more memory"),
            (sentence { try maxPool2d(x, (5, 1)) }, "the window is larger than the padded plane"),
            (sentence { try maxPool2d(x, (2, 2), Window(stride: 2, padding: 2)) }, "more than half the window"),
            (sentence { try averagePool2d(x, (0, 1)) }, "does not support stride [0, 1]"),
        ]
        for (found, expected) in answers { #expect(found.contains(expected), "\(found)") }
    }
}
