import Kernels
import Testing

@Suite("Pooling kernels")
struct PoolingKernelTests {
    static let paths = ElementwisePath.allCases.filter(\.isPresent)
    static let shapes: [PoolingShape] = {
        let halving = [[2, 2], [3, 5], [7, 31], [8, 32], [4, 33], [5, 34], [28, 28], [2, 67]].map {
            try? PoolingShape(planes: 3, plane: $0, kernel: [2, 2], stride: [2, 2])
        }
        let others = [
            try? PoolingShape(planes: 2, plane: [7, 8], kernel: [3, 2], stride: [2, 1], padding: [1, 1]),
            try? PoolingShape(planes: 2, plane: [9, 9], kernel: [2, 2], stride: [2, 2], dilation: [2, 3]),
            try? PoolingShape(planes: 1, plane: [20, 20], kernel: [20, 20], stride: [1, 1]),
            // A window of nothing but padding.
            try? PoolingShape(
                planes: 1, plane: [2, 2], kernel: [2, 2], stride: [1, 1], padding: [1, 1], dilation: [3, 3]),
        ]
        return (halving + others).compactMap(\.self)
    }()

    private func numbers(_ count: Int, _ seed: UInt64) -> [Float] {
        var bits = SeededBits(seed: seed)
        // Few different ones, so that there are ties.
        return (0..<count).map { _ in (bits.signedUnit() * 4).rounded() / 4 }
    }

    @Test("the largest of each window, and where its gradient goes", arguments: shapes, paths)
    func maximum(shape: PoolingShape, path: ElementwisePath) {
        var x = numbers(shape.count, 1)
        if x.count > 60 { x[37] = .nan }
        let dy = numbers(shape.resultCount, 2)
        for rectifies in [false, true] {
            var y = [Float](repeating: 9, count: shape.resultCount + 1)
            var taps = [UInt16](repeating: 9, count: shape.resultCount + 1)
            var dx = [Float](repeating: 9, count: shape.count + 1)
            Pooling.maximum(shape, rectifies: rectifies, x, into: &y, taps: &taps, pool: .single, path: path)
            Pooling.maximumGradient(shape, yGradient: dy, taps: taps, into: &dx, pool: .single, path: path)
            var twinY = [Double](repeating: 0, count: shape.resultCount)
            var twinTaps = [UInt16](repeating: 0, count: shape.resultCount)
            var twinX = [Double](repeating: 0, count: shape.count)
            PoolingTwin.maximum(shape, rectifies: rectifies, x.map(Double.init), into: &twinY, taps: &twinTaps)
            PoolingTwin.maximumGradient(shape, yGradient: dy.map(Double.init), taps: twinTaps, into: &twinX)
            #expect([y.removeLast(), dx.removeLast(), Float(taps.removeLast())] == [9, 9, 9])
            #expect(taps == twinTaps)
            #expect(y.map { $0.isNaN ? -99 : Double($0) } == twinY.map { $0.isNaN ? -99 : $0 })
            #expect(dx.map(Double.init) == twinX)
        }
    }

    @Test("the mean of each window, and how its gradient is shared", arguments: shapes)
    func average(shape: PoolingShape) {
        let (x, dy) = (numbers(shape.count, 1), numbers(shape.resultCount, 2))
        var (y, dx) = (dy, x)
        Pooling.average(shape, x, into: &y)
        Pooling.averageGradient(shape, yGradient: dy, into: &dx)
        var twinY = [Double](repeating: 0, count: shape.resultCount)
        var twinX = [Double](repeating: 0, count: shape.count)
        PoolingTwin.average(shape, x.map(Double.init), into: &twinY)
        PoolingTwin.averageGradient(shape, yGradient: dy.map(Double.init), into: &twinX)
        for (a, b) in zip(y + dx, twinY + twinX) { #expect(abs(Double(a) - b) < 1e-5) }
    }

    @Test("windows that make no sense are refused in a sentence")
    func errors() {
        func sentence(_ plane: [Int], _ kernel: [Int], padding: [Int] = [0, 0]) -> String {
            do {
                _ = try PoolingShape(planes: 1, plane: plane, kernel: kernel, stride: [1, 1], padding: padding)
                return "no error"
            } catch { return error.sentence }
        }
        #expect(sentence([3, 3], [4, 1]) == "pooling: the window is larger than the padded plane.")
        #expect(
            sentence([3, 3], [2, 2], padding: [2, 0]) == "pooling: a padding of 2 is more than half the window.")
        #expect(
            sentence([300, 300], [256, 256]) == "pooling: a window of [256, 256] is too large: at most 65,534 "
                + "elements are supported.")
    }
}
