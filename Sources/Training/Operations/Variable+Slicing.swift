public import Tensors

extension Variable {
    /// A view of what the selectors take, one an axis from the first; axes without a selector stay whole.
    ///
    /// ```swift
    /// let last = try hidden[.all, -1]              // the last token of each sequence: [batch, width]
    /// ```
    public subscript<each Selector: AxisSelector>(_ selectors: repeat each Selector) -> Variable {
        get throws(TensorError) {
            var selections: [AxisSelection] = []
            for selector in repeat each selectors { selections.append(selector.selection) }
            return try sliced(selections)
        }
    }

    /// A view of a part of one axis, every `step`-th element of it.
    public func sliced(axis: Int, _ range: some AxisSelector, step: Int = 1) throws(TensorError) -> Variable {
        let place = try value.axes([axis], "slice")[0]
        var selection = range.selection
        if case .range(let from, let to, let every) = selection, step != 1 {
            selection = .range(from: from, to: to, step: every.multipliedReportingOverflow(by: step).partialValue)
        }
        return try sliced([AxisSelection](repeating: .all, count: place) + [selection])
    }

    /// A view of what the selections take, one an axis from the first; axes without one stay whole.
    public func sliced(_ selections: [AxisSelection]) throws(TensorError) -> Variable {
        let value = try value.sliced(selections)
        return .made(by: "slice", value, from: [self]) { [shape] back throws(TensorError) in
            [try Self.unsliced(back.gradient, selections, shape)]
        }
    }

    /// Zeros of a shape, but for the elements that the selections take of it.
    private static func unsliced(
        _ part: Variable, _ selections: [AxisSelection], _ shape: [Int]
    ) throws(TensorError) -> Variable {
        var part = part
        var (axis, source) = (0, 0)
        var widths: [(Int, Int)] = []
        for selection in selections {
            switch selection {
            case .inserted: part = try part.squeezed(axis)
            case .index(let index):
                part = try part.expanded(at: axis)
                let place = index < 0 ? index + shape[source] : index
                widths.append((place, shape[source] - place - 1))
                (axis, source) = (axis + 1, source + 1)
            case .range(let from, _, let step):
                let length = part.shape[axis]
                var place = first(from, step, of: shape[source])
                if length == 0 { place = 0 }
                if step != 1, length > 1 {
                    part = try part.spread(axis, Swift.abs(step))
                    if step < 0 {
                        part = try part.flipped(axis)
                        place -= part.shape[axis] - 1
                    }
                }
                widths.append((place, shape[source] - place - part.shape[axis]))
                (axis, source) = (axis + 1, source + 1)
            }
        }
        widths += shape[source...].map { _ in (0, 0) }
        return widths.allSatisfy { $0.0 == 0 && $0.1 == 0 } ? part : try part.padded(widths, with: 0)
    }

    /// Where a range begins, as a slice cuts it to the axis.
    private static func first(_ from: Int?, _ step: Int, of size: Int) -> Int {
        guard let from else { return step > 0 ? 0 : size - 1 }
        let place = from < 0 ? from + size : from
        return step > 0 ? min(max(place, 0), size) : min(max(place, -1), size - 1)
    }

    /// The elements along an axis `step` apart, zeros between them.
    private func spread(_ axis: Int, _ step: Int) throws(TensorError) -> Variable {
        var widths = [(Int, Int)](repeating: (0, 0), count: rank + 1)
        widths[axis + 1] = (0, step - 1)
        var merged = shape
        merged[axis] *= step
        let long = try expanded(at: axis + 1).padded(widths, with: 0).reshaped(merged)
        return try long.sliced(axis: axis, 0..<(shape[axis] - 1) * step + 1)
    }
}
