internal import Tensors

extension WindowAxes {
    /// What each place of a window meets, window by window.
    ///
    /// - Parameters:
    ///   - x: [batch, channel, row, column].
    ///   - number: stands in the padding.
    ///   - size: rows and columns of a window.
    ///   - result: how many windows there are along rows and columns.
    /// - Returns: a view [batch, channel, ...result] for each place, rows first.
    func taps<S>(
        of x: Variable<S>, paddedWith number: S, size: [Int], result: [Int]
    ) throws(TensorError) -> [Variable<S>] {
        let (rows, columns) = (padding[0], padding[1])
        let padded = try x.padded([(0, 0), (0, 0), (rows, rows), (columns, columns)], with: number)
        func met(_ place: Int, axis: Int) -> AxisSelection {
            let first = place * dilation[axis]
            return .range(from: first, to: first + (result[axis] - 1) * stride[axis] + 1, step: stride[axis])
        }
        var taps: [Variable<S>] = []
        for row in 0..<size[0] {
            for column in 0..<size[1] {
                try taps.append(
                    padded.sliced([
                        .range(from: nil, to: nil, step: 1), .range(from: nil, to: nil, step: 1), met(row, axis: 0),
                        met(column, axis: 1),
                    ]))
            }
        }
        return taps
    }
}
