extension GradientTwin {
    /// y = (x - mean) / √(variance + ε) · gain + bias of each row; without centering the mean counts as 0.
    ///
    /// - Parameters:
    ///   - means: `[rows]`; `nil` if rows are not centered: RMS norm.
    ///   - scales: `[rows]`: 1 / √(variance + ε).
    package static func norm<T: BinaryFloatingPoint>(
        _ x: UnsafePointer<T>, gain: UnsafePointer<T>?, bias: UnsafePointer<T>?, epsilon: Double,
        into y: UnsafeMutablePointer<T>, means: UnsafeMutablePointer<T>?, scales: UnsafeMutablePointer<T>,
        rows: Int, columns: Int
    ) {
        for row in 0..<rows {
            let (x, y) = (x + row * columns, y + row * columns)
            var mean = 0.0
            if means != nil {
                for j in 0..<columns { mean += Double(x[j]) }
                mean /= Double(columns)
            }
            var variance = 0.0
            for j in 0..<columns { variance += (Double(x[j]) - mean) * (Double(x[j]) - mean) }
            let scale = 1 / (variance / Double(columns) + epsilon).squareRoot()
            means?[row] = T(mean)
            scales[row] = T(scale)
            for j in 0..<columns {
                let normal = (Double(x[j]) - mean) * scale
                y[j] = T(normal * (gain.map { Double($0[j]) } ?? 1) + (bias.map { Double($0[j]) } ?? 0))
            }
        }
    }

    /// The gradients of `norm` from dy and what the forward pass kept.
    ///
    /// With n = (x - mean) s and h = dy · gain: dx = s (h - mean(h) - n mean(h n)), dgain = Σ dy n, dbias = Σ dy, where
    /// mean(h) counts only for centered rows. What is nil is not computed.
    package static func normBackward<T: BinaryFloatingPoint>(
        _ dy: UnsafePointer<T>, x: UnsafePointer<T>, gain: UnsafePointer<T>?, means: UnsafePointer<T>?,
        scales: UnsafePointer<T>, dx: UnsafeMutablePointer<T>?, dGain: UnsafeMutablePointer<T>?,
        dBias: UnsafeMutablePointer<T>?, rows: Int, columns: Int
    ) {
        var gainSums = [Double](repeating: 0, count: columns)
        var biasSums = gainSums
        for row in 0..<rows {
            let (x, dy) = (x + row * columns, dy + row * columns)
            let (mean, scale) = (means.map { Double($0[row]) } ?? 0, Double(scales[row]))
            var (sum, product) = (0.0, 0.0)
            for j in 0..<columns {
                let normal = (Double(x[j]) - mean) * scale
                let h = Double(dy[j]) * (gain.map { Double($0[j]) } ?? 1)
                sum += h
                product += h * normal
                gainSums[j] += Double(dy[j]) * normal
                biasSums[j] += Double(dy[j])
            }
            sum = means == nil ? 0 : sum / Double(columns)
            product /= Double(columns)
            guard let dx else { continue }
            for j in 0..<columns {
                let normal = (Double(x[j]) - mean) * scale
                let h = Double(dy[j]) * (gain.map { Double($0[j]) } ?? 1)
                dx[row * columns + j] = T(scale * (h - sum - normal * product))
            }
        }
        for j in 0..<columns {
            dGain?[j] = T(gainSums[j])
            dBias?[j] = T(biasSums[j])
        }
    }
}
