import Kernels
import Testing

@Suite("Convolution kernels")
struct ConvolutionKernelTests {
    /// Borders of vectors and tiles, strides, dilations, groups; kernels beyond the image's edge.
    static let shapes: [ConvolutionShape] = {
        let made = [
            try? ConvolutionShape(
                batch: 3, channels: 1, outputs: 16, image: [28, 28], kernel: [3, 3], padding: [1, 1]),
            try? ConvolutionShape(
                batch: 20, channels: 5, outputs: 9, image: [7, 7], kernel: [3, 3], padding: [1, 1]),
            try? ConvolutionShape(batch: 1, channels: 1, outputs: 1, image: [1, 1], kernel: [1, 1]),
            try? ConvolutionShape(
                batch: 2, channels: 3, outputs: 8, image: [1, 50], kernel: [1, 5], padding: [0, 2]),
            try? ConvolutionShape(
                batch: 2, groups: 3, channels: 2, outputs: 7, image: [5, 17], kernel: [2, 4], padding: [1, 3]),
            try? ConvolutionShape(
                batch: 2, groups: 2, channels: 2, outputs: 3, image: [9, 20], kernel: [3, 2], padding: [2, 1],
                dilation: [2, 3]),
            try? ConvolutionShape(
                batch: 17, channels: 2, outputs: 4, image: [8, 11], kernel: [3, 4], stride: [2, 3], padding: [1, 2]),
            try? ConvolutionShape(batch: 2, channels: 1, outputs: 2, image: [3, 4], kernel: [2, 2], padding: [3, 3]),
            try? ConvolutionShape(batch: 2, groups: 20, channels: 1, outputs: 1, image: [6, 6], kernel: [3, 3]),
        ]
        return made.compactMap(\.self)
    }()

    private func numbers(_ count: Int, _ seed: UInt64) -> [Float] {
        var bits = SeededBits(seed: seed)
        return (0..<count).map { _ in bits.signedUnit() }
    }

    /// The largest difference next to the largest number.
    private func worst(_ found: [Float], _ expected: [Double]) -> Double {
        let scale = expected.reduce(1e-30) { max($0, abs($1)) }
        return zip(found, expected).reduce(0) {
            let difference = abs(Double($1.0) - $1.1) / scale
            return difference.isNaN ? .infinity : max($0, difference)
        }
    }

    /// y, and the gradients of x, weights and bias.
    private func results(
        _ shape: ConvolutionShape, _ path: ConvolutionPath, _ pool: ThreadPool
    ) throws -> [[Float]] {
        let x = numbers(shape.imageCount, 1)
        let (w, b) = (numbers(shape.weightCount, 2), numbers(shape.groups * shape.outputs, 3))
        let dy = numbers(shape.resultCount, 4)
        var y = [Float](repeating: .nan, count: shape.resultCount + 1)
        var dx = [Float](repeating: .nan, count: shape.imageCount + 1)
        var dw = [Float](repeating: .nan, count: w.count)
        var db = [Float](repeating: .nan, count: b.count)
        try Convolution.forward(shape, x, weights: w, bias: b, into: &y, pool: pool, path: path)
        try Convolution.inputGradient(shape, weights: w, yGradient: dy, into: &dx, pool: pool, path: path)
        try Convolution.weightGradient(shape, x, yGradient: dy, into: &dw, bias: &db, pool: pool, path: path)
        #expect(y.removeLast().isNaN && dx.removeLast().isNaN, "something was written past the end")
        return [y, dx, dw, db]
    }

    @Test("agree with the textbook's loops in float64", arguments: shapes, ConvolutionPath.allCases)
    func agreement(shape: ConvolutionShape, path: ConvolutionPath) throws {
        guard path.takes(shape) else { return }
        let x = numbers(shape.imageCount, 1).map(Double.init)
        let w = numbers(shape.weightCount, 2).map(Double.init)
        let b = numbers(shape.groups * shape.outputs, 3).map(Double.init)
        let dy = numbers(shape.resultCount, 4).map(Double.init)
        var expected = [dy, x, w, b]
        ConvolutionTwin.forward(shape, x, weights: w, bias: b, into: &expected[0])
        ConvolutionTwin.inputGradient(shape, weights: w, yGradient: dy, into: &expected[1])
        var (dw, db) = (w, b)
        ConvolutionTwin.weightGradient(shape, x, yGradient: dy, into: &dw, bias: &db)
        (expected[2], expected[3]) = (dw, db)
        for (found, expected) in zip(try results(shape, path, .single), expected) {
            #expect(worst(found, expected) < 2e-6)
        }
    }

    @Test("have the same bits on any number of threads", arguments: shapes)
    func threads(shape: ConvolutionShape) throws {
        let path = ConvolutionPath.best(for: shape)
        let single = try results(shape, path, .single)
        #expect(try results(shape, path, ThreadPool(threads: 3)) == single)
    }

    @Test("sizes that make no sense are refused in a sentence")
    func errors() {
        func sentence(_ image: [Int], _ kernel: [Int], channels: Int = 1, padding: [Int] = [0, 0]) -> String {
            do {
                _ = try ConvolutionShape(
                    batch: 1, channels: channels, outputs: 1, image: image, kernel: kernel, padding: padding)
                return "no error"
            } catch { return error.sentence }
        }
        #expect(sentence([2, 2], [3, 1]) == "convolution: the kernel is larger than the padded image.")
        #expect(sentence([2, 0], [1, 1]) == "convolution: sizes must be 1 to 2^30.")
        #expect(sentence([2], [1, 1]) == "convolution: sizes must be 1 to 2^30.")
        #expect(sentence([1 << 30, 1 << 30], [1, 1]).contains("more memory than any machine has"))
    }
}
