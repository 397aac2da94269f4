/// Pooling and its gradients by the textbook's loops, in float64.
public enum PoolingTwin {
    /// Calls `body(y, tap, x)` for each place of a window that is within its plane; x is nil for the padding.
    private static func forEachPlace(_ s: PoolingShape, _ body: (Int, Int, Int?) -> Void) {
        for y in 0..<s.resultCount {
            let column = y % s.result[1]
            let row = y / s.result[1] % s.result[0]
            let plane = y / (s.result[0] * s.result[1])
            for tap in 0..<s.kernel[0] * s.kernel[1] {
                let down = row * s.stride[0] - s.padding[0] + tap / s.kernel[1] * s.dilation[0]
                let right = column * s.stride[1] - s.padding[1] + tap % s.kernel[1] * s.dilation[1]
                let isInside = 0..<s.plane[0] ~= down && 0..<s.plane[1] ~= right
                body(y, tap, isInside ? (plane * s.plane[0] + down) * s.plane[1] + right : nil)
            }
        }
    }

    /// - Parameter taps: Position in the window from which each number comes; `UInt16.max` if there is none.
    public static func maximum(
        _ shape: PoolingShape, rectifies: Bool = false, _ x: UnsafePointer<Double>,
        into y: UnsafeMutablePointer<Double>, taps: UnsafeMutablePointer<UInt16>
    ) {
        y.update(repeating: -.infinity, count: shape.resultCount)
        taps.update(repeating: .max, count: shape.resultCount)
        forEachPlace(shape) { to, tap, from in
            guard let from else { return }
            let isFirstNaN = x[from].isNaN && !y[to].isNaN
            guard taps[to] == .max || x[from] > y[to] || isFirstNaN else { return }
            (y[to], taps[to]) = (x[from], UInt16(tap))
        }
        guard rectifies else { return }
        for i in 0..<shape.resultCount where y[i] <= 0 { (y[i], taps[i]) = (0, .max) }
    }

    public static func maximumGradient(
        _ shape: PoolingShape, yGradient: UnsafePointer<Double>, taps: UnsafePointer<UInt16>,
        into xGradient: UnsafeMutablePointer<Double>
    ) {
        xGradient.update(repeating: 0, count: shape.count)
        forEachPlace(shape) { from, tap, to in
            if let to, Int(taps[from]) == tap { xGradient[to] += yGradient[from] }
        }
    }

    public static func average(
        _ shape: PoolingShape, _ x: UnsafePointer<Double>, into y: UnsafeMutablePointer<Double>
    ) {
        y.update(repeating: 0, count: shape.resultCount)
        let share = 1 / Double(shape.kernel[0] * shape.kernel[1])
        forEachPlace(shape) { to, _, from in if let from { y[to] += x[from] * share } }
    }

    public static func averageGradient(
        _ shape: PoolingShape, yGradient: UnsafePointer<Double>, into xGradient: UnsafeMutablePointer<Double>
    ) {
        xGradient.update(repeating: 0, count: shape.count)
        let share = 1 / Double(shape.kernel[0] * shape.kernel[1])
        forEachPlace(shape) { from, _, to in if let to { xGradient[to] += yGradient[from] * share } }
    }
}
