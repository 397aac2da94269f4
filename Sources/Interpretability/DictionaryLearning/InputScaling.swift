/// What is done to rows of activations before they are learned from.
package struct InputScaling: Hashable, Sendable {
    let normalization: DictionaryConfiguration.InputNormalization
    /// The one factor of `meanNorm`; `nil` until the first batch has come.
    var factor: Float?

    package init(_ normalization: DictionaryConfiguration.InputNormalization) {
        self.normalization = normalization
    }

    /// What the dictionary does to its inputs.
    package var ofDictionary: SparseAutoencoder.Normalization {
        switch normalization {
        case .none: .none
        case .meanNorm: .scale(factor ?? 1)
        case .rowNorm: .rowNorm
        case .layerNorm: .layerNorm
        }
    }

    /// Changes rows `[rows, width]` in place; the first ones give the factor.
    package mutating func apply(to rows: UnsafeMutableBufferPointer<Float>, width: Int) {
        guard let base = rows.baseAddress, width > 0 else { return }
        let count = rows.count / width
        let target = Float(width).squareRoot()
        if normalization == .meanNorm, factor == nil {
            var sum = 0.0
            for row in 0..<count { sum += Double(Self.norm(base + row * width, width)) }
            factor = sum > 0 ? Float(Double(target) * Double(count) / sum) : 1
        }
        for row in 0..<count {
            let x = base + row * width
            switch normalization {
            case .none: break
            case .meanNorm: Self.scale(x, width, by: factor ?? 1)
            case .rowNorm:
                let norm = Self.norm(x, width)
                if norm > 0 { Self.scale(x, width, by: target / norm) }
            case .layerNorm: Self.standardize(x, width)
            }
        }
    }

    private static func norm(_ x: UnsafePointer<Float>, _ width: Int) -> Float {
        var sum: Float = 0
        for i in 0..<width { sum += x[i] * x[i] }
        return sum.squareRoot()
    }

    private static func scale(_ x: UnsafeMutablePointer<Float>, _ width: Int, by factor: Float) {
        for i in 0..<width { x[i] *= factor }
    }

    /// Mean 0, and divided by the sample deviation + 1e-5.
    private static func standardize(_ x: UnsafeMutablePointer<Float>, _ width: Int) {
        var (sum, squares): (Float, Float) = (0, 0)
        for i in 0..<width { sum += x[i] }
        let mean = sum / Float(width)
        for i in 0..<width {
            x[i] -= mean
            squares += x[i] * x[i]
        }
        let deviation = (squares / Float(max(1, width - 1))).squareRoot()
        scale(x, width, by: 1 / (deviation + 1e-5))
    }
}
