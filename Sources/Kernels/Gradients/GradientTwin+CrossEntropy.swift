internal import Glibc

extension GradientTwin {
    /// The log-sum-exp and the loss of each row of logits: (1 - ε) (lse - z[target]) + ε (lse - mean(z)).
    ///
    /// - Parameters:
    ///   - targets: `[rows]`; a row whose target is negative is left out: its loss is 0.
    ///   - smoothing: ε.
    package static func crossEntropy<T: BinaryFloatingPoint>(
        _ logits: UnsafePointer<T>, targets: UnsafePointer<Int32>, smoothing: Double,
        logSumExp: UnsafeMutablePointer<T>, losses: UnsafeMutablePointer<T>, rows: Int, columns: Int
    ) {
        for row in 0..<rows {
            let z = logits + row * columns
            var (largest, total) = (-Double.infinity, 0.0)
            for j in 0..<columns {
                largest = max(largest, Double(z[j]))
                total += Double(z[j])
            }
            var sum = 0.0
            for j in 0..<columns { sum += exp(Double(z[j]) - largest) }
            let lse = largest + log(sum)
            logSumExp[row] = T(lse)
            let target = Int(targets[row])
            guard target >= 0 else {
                losses[row] = 0
                continue
            }
            let smooth = smoothing == 0 ? 0 : smoothing * (lse - total / Double(columns))
            losses[row] = T((1 - smoothing) * (lse - Double(z[target])) + smooth)
        }
    }

    /// dlogits = factor (softmax - (1 - ε) [target] - ε / columns); rows that are left out are zero.
    package static func crossEntropyBackward<T: BinaryFloatingPoint>(
        _ logits: UnsafePointer<T>, targets: UnsafePointer<Int32>, smoothing: Double, factor: Double,
        logSumExp: UnsafePointer<T>, into gradient: UnsafeMutablePointer<T>, rows: Int, columns: Int
    ) {
        for row in 0..<rows {
            let (z, dz, target) = (logits + row * columns, gradient + row * columns, Int(targets[row]))
            for j in 0..<columns {
                let share = exp(Double(z[j]) - Double(logSumExp[row])) - smoothing / Double(columns)
                dz[j] = target < 0 ? 0 : T(factor * (share - (j == target ? 1 - smoothing : 0)))
            }
        }
    }
}
