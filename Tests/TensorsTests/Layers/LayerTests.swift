import Tensors
import Testing

@Suite struct LayerTests {
    @Test(
        "layers agree with their definitions in float64",
        arguments: [
            GoldenCase("softmax of rows", within: 5e-7) { try softmax($0.float()) },
            GoldenCase("softmax of axis 1", within: 5e-7) { try softmax($0.float(), axis: 1) },
            GoldenCase("logSoftmax", within: 5e-7) { try logSoftmax($0.float()) },
            GoldenCase("layerNorm", within: 2e-6) {
                try layerNorm($0.float(), weight: $0.float("weight"), bias: $0.float("bias"))
            },
            GoldenCase("layerNorm alone", within: 2e-6) { try layerNorm($0.float()) },
            GoldenCase("rmsNorm", within: 2e-6) { try rmsNorm($0.float(), weight: $0.float("weight")) },
            GoldenCase("batchNorm", within: 2e-6) {
                try batchNorm(
                    $0.float(), mean: $0.float("mean"), variance: $0.float("variance"), weight: $0.float("weight"),
                    bias: $0.float("bias"))
            },
            GoldenCase("groupNorm", within: 2e-6) {
                try groupNorm($0.float(), groups: 2, weight: $0.float("weight"), bias: $0.float("bias"))
            },
            GoldenCase("conv2d", within: 2e-6) {
                try conv2d($0.float(), $0.float("weight"), bias: $0.float("bias"))
            },
            GoldenCase("conv2d with stride, padding and dilation", within: 2e-6) {
                try conv2d(
                    $0.float(), $0.float("weight"), Window(stride: [2, 3], padding: [2, 1], dilation: [2, 1]))
            },
            GoldenCase("conv2d in groups", within: 2e-6) { try conv2d($0.float(), $0.float("weight"), groups: 2) },
            GoldenCase("conv1d", within: 2e-6) {
                try conv1d($0.float(), $0.float("weight"), Window(stride: 2, padding: 1))
            },
            GoldenCase("maxPool2d") { try maxPool2d($0.float(), (2, 3)) },
            GoldenCase("averagePool2d", within: 1e-6) { try averagePool2d($0.float(), (2, 3)) },
            GoldenCase("maxPool1d with padding") { try maxPool1d($0.float(), 3, Window(stride: 2, padding: 1)) },
        ])
    func golden(_ golden: GoldenCase) throws { try golden.check() }

    @Test("a row has the bits that it has alone", arguments: [1, 7, 128, 1_000]) func rows(width: Int) throws {
        var random = SeededNumbers(seed: UInt64(width))
        let x = try random.tensor([64, width]) * 5
        let weight = try random.tensor([width])
        for row in [0, 13, 63] {
            #expect(try softmax(x)[row] == softmax(x[row]))
            #expect(try layerNorm(x, weight: weight)[row] == layerNorm(x[row], weight: weight))
            #expect(try rmsNorm(x)[row] == rmsNorm(x[row]))
        }
        #expect(try softmax(x.transposed().contiguous(), axis: 0) == softmax(x).transposed())
    }

    @Test("softmax neither overflows nor fails at its ends") func extremes() throws {
        let x = try Tensor<Float>(rows: [[1e30, 1e30], [-.infinity, 0], [88, -1e30]])
        #expect(try softmax(x).elements == [0.5, 0.5, 0, 1, 1, 0])
        #expect(try logSoftmax(x)[1].elements == [-.infinity, 0])
        #expect(try softmax(Tensor<Float>(repeating: -.infinity, shape: [3])).elements.allSatisfy(\.isNaN))
        #expect(try softmax(Tensor<Double>(repeating: -.infinity, shape: [3])).elements.allSatisfy(\.isNaN))
        #expect(try softmax(Tensor<Float>([], shape: [3, 0])).shape == [3, 0])
        #expect(try softmax(Tensor<Float>([], shape: [0, 3])).shape == [0, 3])
    }

    @Test("the other floating-point types do the same", arguments: 0..<3) func types(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let x = try random.tensor([4, 50])
        let exact = try softmax(x.converted(to: Double.self))
        expectClose(try softmax(x.converted(to: Float16.self)).converted(), exact, within: 1e-3)
        expectClose(try softmax(x.converted(to: BFloat16.self)).converted(), exact, within: 1e-2)
        let norm = try layerNorm(x.converted(to: Double.self))
        expectClose(try layerNorm(x).converted(), norm, within: 1e-5)
        expectClose(try layerNorm(x.converted(to: BFloat16.self)).converted(), norm, within: 0.03)
    }

    @Test("a kernel that does not fit is refused") func refusal() throws {
        let x = try Tensor<Float>(repeating: 1, shape: [1, 2, 3, 3])
        #expect(throws: TensorError.self) { try conv2d(x, Tensor(repeating: 1, shape: [1, 2, 4, 4])) }
        #expect(throws: TensorError.self) { try conv2d(x, Tensor(repeating: 1, shape: [1, 3, 1, 1])) }
        #expect(throws: TensorError.self) { try maxPool2d(x, (0, 1)) }
        #expect(throws: TensorError.self) {
            try conv2d(x, Tensor(repeating: 1, shape: [1, 2, 1, 1]), Window(stride: 0))
        }
        #expect(try conv2d(x, Tensor(repeating: 1, shape: [1, 2, 3, 3])).elements == [18])
    }
}
