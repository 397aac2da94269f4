internal import Glibc
internal import Kernels
internal import System
internal import Tensors
internal import Tokenizers

/// The tokens that a sequence's logits are asked for, and how well runs predict them, in nats and in double.
struct NextTokens {
    /// Positions that predict, each with the token after it.
    private let asked: [(position: Int, next: Int)]
    private let vocabulary: Int
    private let clean: Tensor<Float>
    /// −ln p of each asked token under the clean run.
    let cleanLosses: [Double]

    /// - Parameters:
    ///   - isCounted: Whether the prediction at each position counts.
    ///   - clean: Logits of the untouched run, `[T, V]`.
    init(
        _ tokens: [TokenID], countedAfter isCounted: [Bool], clean: Tensor<Float>
    ) throws(Problem) {
        guard clean.rank == 2, clean.shape[0] == tokens.count else {
            throw Problem(.invalid, "logits", "shape \(clean.shape) does not match \(tokens.count) tokens")
        }
        vocabulary = clean.shape[1]
        asked = (0..<max(0, tokens.count - 1)).filter { isCounted[$0] }.map { ($0, Int(tokens[$0 + 1])) }
        guard let vocabulary = clean.shape.last, asked.allSatisfy({ $0.next >= 0 && $0.next < vocabulary }) else {
            throw Problem(.missing, "logits", "some tokens of the sequence have no column")
        }
        self.clean = clean
        cleanLosses = try Self.forEach(asked, of: clean, clean) { row, _, count, next in
            Self.logSum(row, count) - Double(row[next])
        }
    }

    /// −ln p of each asked token.
    func losses(_ logits: Tensor<Float>) throws(Problem) -> [Double] {
        try Self.forEach(asked, of: logits, clean) { row, _, count, next in
            Self.logSum(row, count) - Double(row[next])
        }
    }

    /// KL(clean ‖ other) at each asked position.
    func divergences(_ logits: Tensor<Float>) throws(Problem) -> [Double] {
        try Self.forEach(asked, of: logits, clean) { row, clean, count, _ in
            let (own, reference) = (Self.logSum(row, count), Self.logSum(clean, count))
            var sum = 0.0
            for i in 0..<count {
                let log = Double(clean[i]) - reference
                if log > -700 { sum += exp(log) * (log - (Double(row[i]) - own)) }
            }
            return max(0, sum)
        }
    }

    private static func forEach(
        _ asked: [(position: Int, next: Int)], of logits: Tensor<Float>, _ clean: Tensor<Float>,
        _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int, Int) -> Double
    ) throws(Problem) -> [Double] {
        guard logits.shape == clean.shape else {
            throw Problem(.invalid, "logits", "shape \(logits.shape) does not match the clean run's \(clean.shape)")
        }
        let count = clean.shape[1]
        return try telling {
            try logits.withElements { x throws(TensorError) in
                try clean.withElements { reference in
                    [Double](unsafeUninitializedCapacity: asked.count) { result, initialized in
                        let target = result.baseAddress
                        ThreadPool.shared.run(chunks: asked.count) { index, _ in
                            let place = asked[index].position * count
                            target?[index] = body(
                                x.baseAddress! + place, reference.baseAddress! + place, count, asked[index].next)
                        }
                        initialized = asked.count
                    }
                }
            }
        }
    }

    /// ln Σ eˣ.
    private static func logSum(_ x: UnsafePointer<Float>, _ count: Int) -> Double {
        var most = -Float.infinity
        for i in 0..<count { most = max(most, x[i]) }
        var sum = 0.0
        for i in 0..<count { sum += exp(Double(x[i] - most)) }
        return Double(most) + log(sum)
    }
}
