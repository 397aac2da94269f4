internal import Kernels

extension ForwardPass {
    /// Whether the layer can continue with only the rows whose logits are needed: the last layer, if nothing observes it.
    func narrows(afterKeysOf layer: Int) -> Bool {
        guard layer == configuration.layerCount - 1, outputRows < rows, stretches.allSatisfy({ $0.cache != nil })
        else { return false }
        return !wanted.contains { $0.layer == layer }
    }

    /// Drops the rows whose logits are not needed: the last `outputs` rows of each sequence stay, moved together.
    ///
    /// - Parameter others: Rows other than the residual and the angles that move along: their start, and the stride to
    ///   the next.
    func narrow(_ others: [(rows: UnsafeMutablePointer<Float>, stride: Int)]) throws(ModelError) {
        var moved = others
        moved.append((try floats(.residual, rows * width), width))
        for (angles, pairs) in angleRows { moved.append((angles, pairs)) }
        var next = 0
        for index in stretches.indices {
            let stretch = stretches[index]
            let dropped = stretch.count - stretch.outputs
            let first = stretch.firstRow + dropped
            if first != next {
                for (rows, stride) in moved {
                    // Rows move towards the front, the first of them first.
                    for row in 0..<stretch.outputs {
                        (rows + (next + row) * stride).update(from: rows + (first + row) * stride, count: stride)
                    }
                }
            }
            stretches[index].firstRow = next
            stretches[index].count = stretch.outputs
            stretches[index].firstPosition += dropped
            next += stretch.outputs
        }
        rows = outputRows
        isNarrow = true
    }
}
