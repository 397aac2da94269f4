extension ForwardPass {
    @inline(__always)
    func wants(_ hook: @autoclosure () -> Hook) -> Bool { !wanted.isEmpty && wanted.contains(hook()) }

    /// Shows the rows of a hook, sequence after sequence.
    ///
    /// - Parameters:
    ///   - stride: numbers from a row to the next; rows that lie apart are brought together and back.
    ///   - shape: that of one row.
    @inline(__always)
    func visit(
        _ hook: @autoclosure () -> Hook, _ base: UnsafeMutablePointer<Float>, stride: Int,
        shape: @autoclosure () -> [Int]
    ) throws(ModelError) {
        guard !wanted.isEmpty else { return }
        try visitRows(hook(), base, stride: stride, row: shape())
    }

    private func visitRows(
        _ hook: Hook, _ base: UnsafeMutablePointer<Float>, stride: Int, row: [Int]
    ) throws(ModelError) {
        guard let visitor, wanted.contains(hook) else { return }
        let width = row.reduce(1, *)
        for (index, stretch) in stretches.enumerated() where stretch.count > 0 {
            visitor.willVisit(segment: index)
            let rows = base + stretch.firstRow * stride
            let shape = [stretch.count] + row
            if stride == width {
                show(hook, rows, shape, stretch.firstPosition, to: visitor)
                continue
            }
            let dense = try floats(.visited, stretch.count * width)
            for row in 0..<stretch.count { (dense + row * width).update(from: rows + row * stride, count: width) }
            show(hook, dense, shape, stretch.firstPosition, to: visitor)
            for row in 0..<stretch.count { (rows + row * stride).update(from: dense + row * width, count: width) }
        }
    }

    /// Shows numbers of one sequence.
    func show(
        _ hook: Hook, _ base: UnsafeMutablePointer<Float>, _ shape: [Int], _ firstPosition: Int,
        to visitor: any HookVisitor
    ) {
        let values = UnsafeMutableBufferPointer(start: base, count: shape.reduce(1, *))
        visitor.visit(hook, values, shape: shape, firstPosition: firstPosition)
    }
}
