internal import Kernels

/// What is lost between numbers and their encoding.
public struct QuantizationError: Hashable, Sendable {
    /// The largest difference.
    public var maximum = 0.0
    /// Σ(ŵ - w)² and Σw².
    var squares = 0.0
    var norm = 0.0

    public init() {}

    /// The root of Σ(ŵ - w)² / Σw²; 0 if all weights are 0.
    public var relative: Double { norm > 0 ? (squares / norm).squareRoot() : 0 }

    var isFinite: Bool { squares.isFinite && norm.isFinite }

    mutating func add(_ other: Self) {
        maximum = max(maximum, other.maximum)
        squares += other.squares
        norm += other.norm
    }

    /// Of numbers in memory: sums of 4096 in float32, of those in float64, in an order that threads do not change.
    init(_ weights: UnsafePointer<Float>, _ decoded: UnsafePointer<Float>, count: Int, pool: ThreadPool) {
        let size = 65_536
        var parts = [QuantizationError](repeating: QuantizationError(), count: (count + size - 1) / size)
        parts.withUnsafeMutableBufferPointer { parts in
            nonisolated(unsafe) let parts = parts
            pool.run(chunks: parts.count) { chunk, _ in
                let first = chunk * size
                for start in stride(from: first, to: min(first + size, count), by: 4096) {
                    parts[chunk].add(Self.part(weights + start, decoded + start, count: min(4096, count - start)))
                }
            }
        }
        for part in parts { add(part) }
    }

    private static func part(_ weights: UnsafePointer<Float>, _ decoded: UnsafePointer<Float>, count: Int) -> Self {
        typealias Lanes = SIMD16<Float>
        var (squares, norm, maximum) = (Lanes.zero, Lanes.zero, Lanes.zero)
        let whole = count / Lanes.scalarCount * Lanes.scalarCount
        for index in stride(from: 0, to: whole, by: Lanes.scalarCount) {
            let x = UnsafeRawPointer(weights + index).loadUnaligned(as: Lanes.self)
            let difference = UnsafeRawPointer(decoded + index).loadUnaligned(as: Lanes.self) - x
            squares += difference * difference
            norm += x * x
            maximum.replace(with: difference, where: difference .> maximum)
            maximum.replace(with: -difference, where: -difference .> maximum)
        }
        var part = QuantizationError()
        part.squares = Double(squares.sum())
        part.norm = Double(norm.sum())
        part.maximum = Double(maximum.max())
        for index in whole..<count {
            let difference = Double(decoded[index]) - Double(weights[index])
            part.squares += difference * difference
            part.norm += Double(weights[index]) * Double(weights[index])
            part.maximum = max(part.maximum, abs(difference))
        }
        return part
    }
}
