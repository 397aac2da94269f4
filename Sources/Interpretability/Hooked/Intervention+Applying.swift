public import Tensors

extension Intervention {
    /// The activation with the change made.
    ///
    /// - Parameter firstPosition: Position of the first token, counted from the start of the sequence.
    public func applied(
        to activation: Tensor<Scalar>, firstPosition: Int = 0
    ) throws(TensorError) -> Tensor<Scalar> {
        var result = activation
        let shape = activation.shape
        try result.withMutableElements { values throws(TensorError) in
            try apply(to: values, shape: shape, firstPosition: firstPosition)
        }
        return result
    }

    /// Makes the change in the memory of an activation, row-major.
    ///
    /// A score of −∞ is that of a key that is hidden: it stays so unless it is replaced. Rows of a tensor that replaces
    /// or is added are those of absolute positions; positions that it does not reach stay.
    ///
    /// - Parameter shape: As `Hook` documents it; `check` has seen that everything fits.
    public func apply(
        to values: UnsafeMutableBufferPointer<Scalar>, shape: [Int], firstPosition: Int
    ) throws(TensorError) {
        guard let base = values.baseAddress, !values.isEmpty else { return }
        let places = HookShape(hook, shape)
        switch change {
        case .zero:
            forEachLine(places, firstPosition) { _, _, line, count in
                InterventionLoops.scale(base + line, by: 0, count: count)
            }
        case .scale(let factor):
            forEachLine(places, firstPosition) { _, _, line, count in
                InterventionLoops.scale(base + line, by: factor, count: count)
            }
        case .replace(let tensor):
            try withSource(tensor, places) { source, first, reach in
                forEachLine(places, firstPosition) { position, head, line, count in
                    guard let start = first(position, head) else { return }
                    (base + line).update(from: source + start + (column ?? 0), count: min(count, reach))
                }
            }
        case .add(let tensor, let factor):
            try withSource(tensor, places) { source, first, reach in
                forEachLine(places, firstPosition) { position, head, line, count in
                    guard let start = first(position, head) else { return }
                    InterventionLoops.add(
                        factor, source + start + (column ?? 0), to: base + line, count: min(count, reach))
                }
            }
        case .project(let direction):
            try setComponent(along: direction, to: nil, base, places, firstPosition)
        case .setComponent(let direction, let component):
            try setComponent(along: direction, to: component, base, places, firstPosition)
        }
    }

    /// Effect on small changes, which gradients pass through backward. Every change is affine, with a symmetric matrix;
    /// `nil` for the identity.
    var linearPart: Intervention? {
        var part = self
        switch change {
        case .zero, .scale, .project: break
        case .replace: part.change = .zero
        case .add: return nil
        case .setComponent(let direction, _): part.change = .project(out: direction)
        }
        return part
    }

    /// Calls `body` with the position, head, first number and length of all that is selected.
    private func forEachLine(
        _ places: HookShape, _ firstPosition: Int, _ body: (_ position: Int, Int, _ start: Int, _ count: Int) -> Void
    ) {
        let heads = head.map { $0..<$0 + 1 } ?? 0..<places.heads
        let columns = column.map { $0..<$0 + 1 } ?? 0..<places.width
        guard heads.upperBound <= places.heads, columns.upperBound <= places.width else { return }
        for token in 0..<places.tokens where positions.contains(firstPosition + token) {
            for head in heads {
                body(
                    firstPosition + token, head, places.start(token: token, head: head) + columns.lowerBound,
                    columns.count)
            }
        }
    }

    /// The numbers of another tensor, where those of a position and head begin in it, and how many there are: a tensor
    /// of whole activations, of one row for all, or of one line.
    private func withSource(
        _ tensor: Tensor<Scalar>, _ places: HookShape,
        _ body: (UnsafePointer<Scalar>, (Int, Int) -> Int?, Int) -> Void
    ) throws(TensorError) {
        try tensor.withElements { elements in
            guard let source = elements.baseAddress else { return }
            let isWhole = tensor.rank == places.row.count + 1
            let other = isWhole ? HookShape(hook, tensor.shape) : nil
            let hasHeads = !isWhole && tensor.count == places.rowCount
            body(
                source,
                { position, head in
                    guard let other else { return hasHeads ? head * places.width : 0 }
                    return position < other.tokens ? other.start(token: position, head: head) : nil
                }, (other?.width ?? places.width) - (column ?? 0))
        }
    }

    /// h − (h·v̂)v̂ + c·v̂, of lines or, where v is as long, of whole rows.
    private func setComponent(
        along direction: Tensor<Scalar>, to component: Scalar?, _ base: UnsafeMutablePointer<Scalar>,
        _ places: HookShape, _ firstPosition: Int
    ) throws(TensorError) {
        try direction.withElements { v in
            guard let v = v.baseAddress else { return }
            let isRow = direction.count != places.width
            forEachLine(places, firstPosition) { _, head, line, count in
                guard !isRow || head == 0 else { return }
                InterventionLoops.setComponent(
                    base + line, along: v, to: component, count: isRow ? places.rowCount : count)
            }
        }
    }
}

/// The loops over numbers, compiled for both precisions.
private enum InterventionLoops {
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func scale<Scalar: FloatingAccumulator>(
        _ line: UnsafeMutablePointer<Scalar>, by factor: Scalar, count: Int
    ) {
        for i in 0..<count where line[i] != -.infinity { line[i] *= factor }
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func add<Scalar: FloatingAccumulator>(
        _ factor: Scalar, _ source: UnsafePointer<Scalar>, to line: UnsafeMutablePointer<Scalar>, count: Int
    ) {
        for i in 0..<count { line[i] += factor * source[i] }
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func setComponent<Scalar: FloatingAccumulator>(
        _ line: UnsafeMutablePointer<Scalar>, along v: UnsafePointer<Scalar>, to component: Scalar?, count: Int
    ) {
        var (square, product): (Scalar, Scalar) = (0, 0)
        for i in 0..<count {
            square += v[i] * v[i]
            if line[i] != -.infinity { product += line[i] * v[i] }
        }
        guard square > 0 else { return }
        // (c − h·v̂) v̂ = (c / |v| − h·v / |v|²) v
        let change = (component ?? 0) / square.squareRoot() - product / square
        for i in 0..<count { line[i] += change * v[i] }
    }
}
