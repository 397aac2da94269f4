/// How words become the elements of a tensor: element i depends on the seed, the stream and i alone.
protocol Distribution: Sendable {
    /// Elements that one block of four words makes: 1, 2 or 4.
    var elementsPerBlock: Int { get }
    /// Writes the elements of `blocks` blocks, the first of which has the number `first`.
    func fill(_ target: UnsafeMutablePointer<Double>, first: UInt64, blocks: Int, words: Words)
}

/// The words of a seed and a stream.
struct Words: Sendable {
    let seed: UInt64
    let stream: UInt32

    @inline(__always)
    func block(_ number: UInt64, attempt: UInt32 = 0) -> SIMD4<UInt32> {
        PhiloxGenerator.words(number, seed: seed, stream: stream, attempt: attempt)
    }
}

extension SIMD4<UInt32> {
    /// The first or the second half of a block, as 64 bits.
    @inline(__always)
    func bits(_ half: Int) -> UInt64 { UInt64(self[2 * half]) | UInt64(self[2 * half + 1]) &<< 32 }
}

/// Equally likely in [low, high): as many random bits as the type has, 24 for float32.
struct UniformDistribution: Distribution {
    let low: Double
    let width: Double
    /// The largest number of the type below the upper bound: rounding must not reach the bound itself.
    let last: Double
    let type: DataType

    var elementsPerBlock: Int { type == .float64 ? 2 : 4 }

    func fill(_ target: UnsafeMutablePointer<Double>, first: UInt64, blocks: Int, words: Words) {
        let bits: UInt32 =
            switch type {
            case .float16: 11
            case .bfloat16: 8
            default: 24
            }
        let unit = type == .float64 ? 0x1p-53 : 1 / Double(UInt32(1) &<< bits)
        for block in 0..<blocks {
            let word = words.block(first &+ UInt64(block))
            if type == .float64 {
                for half in 0..<2 { target[2 * block + half] = scaled(Double(word.bits(half) &>> 11) * unit) }
            } else {
                for lane in 0..<4 { target[4 * block + lane] = scaled(Double(word[lane] &>> (32 &- bits)) * unit) }
            }
        }
    }

    @inline(__always)
    private func scaled(_ uniform: Double) -> Double { min(low + width * uniform, last) }
}

/// The normal distribution, two elements at a time (Box and Muller).
struct NormalDistribution: Distribution {
    let mean: Double
    let deviation: Double
    let isWide: Bool

    var elementsPerBlock: Int { isWide ? 2 : 4 }

    func fill(_ target: UnsafeMutablePointer<Double>, first: UInt64, blocks: Int, words: Words) {
        for block in 0..<blocks {
            let word = words.block(first &+ UInt64(block))
            if isWide {
                let (a, b) = Draw.normals(word.bits(0), word.bits(1))
                target[2 * block] = mean + deviation * a
                target[2 * block + 1] = mean + deviation * b
            } else {
                for pair in 0..<2 {
                    let (a, b) = Draw.normals(word[2 * pair], word[2 * pair + 1])
                    target[4 * block + 2 * pair] = mean + deviation * a
                    target[4 * block + 2 * pair + 1] = mean + deviation * b
                }
            }
        }
    }
}

/// Integers of a range, each equally likely (Lemire).
struct IntegerDistribution: Distribution {
    let low: Int
    let size: UInt64

    var elementsPerBlock: Int { 2 }

    func fill(_ target: UnsafeMutablePointer<Double>, first: UInt64, blocks: Int, words: Words) {
        for block in 0..<blocks {
            let number = first &+ UInt64(block)
            let word = words.block(number)
            for half in 0..<2 {
                var value = Draw.below(size, word.bits(half))
                var attempt: UInt32 = 0
                while value == nil {
                    attempt &+= 1
                    value = Draw.below(size, words.block(number, attempt: attempt).bits(half))
                }
                target[2 * block + half] = Double(low + Int(value ?? 0))
            }
        }
    }
}

/// 1 with a probability, else 0.
struct BernoulliDistribution: Distribution {
    let probability: Double

    var elementsPerBlock: Int { 2 }

    func fill(_ target: UnsafeMutablePointer<Double>, first: UInt64, blocks: Int, words: Words) {
        for block in 0..<blocks {
            let word = words.block(first &+ UInt64(block))
            for half in 0..<2 { target[2 * block + half] = Draw.uniform(word.bits(half)) < probability ? 1 : 0 }
        }
    }
}
