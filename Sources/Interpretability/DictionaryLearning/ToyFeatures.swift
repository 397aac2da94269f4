public import System
public import Tensors

/// Rows that are sums of a few known directions: data whose features are known.
///
/// Each row has `active` different directions of the truth, each times an amplitude that is uniform in a range, and
/// noise. The row at a place is the same however many are asked for at once.
public final class ToyFeatures: SkippingActivationSource {
    public let width: Int
    /// `[features, d]`, unit rows.
    public let truth: Tensor<Float>
    private let active: Int
    private let amplitudes: ClosedRange<Double>
    private let noise: Double
    private let seed: UInt64
    private let directions: [Float]
    private var position = 0

    public init(
        width: Int = 64, features: Int = 128, active: Int = 4, amplitudes: ClosedRange<Double> = 0.5...1.5,
        noise: Double = 0, seed: UInt64 = 1
    ) throws(Problem) {
        guard width > 0, features > 0, (0...features).contains(active), noise >= 0 else {
            throw Problem(
                .invalid, "toy features",
                "\(active) active of \(features) features in \(width) dimensions with noise \(noise) are out of range",
                remedy: "Use a positive width, at least as many features as active ones, and noise of 0 or more.")
        }
        self.width = width
        self.active = active
        self.amplitudes = amplitudes
        self.noise = noise
        self.seed = seed
        var rows = try telling { try Tensor<Float>.normal([features, width], seed: seed).elements }
        for feature in 0..<features {
            let range = feature * width..<(feature + 1) * width
            let norm = rows[range].reduce(0) { $0 + $1 * $1 }.squareRoot()
            for i in range { rows[i] /= norm }
        }
        directions = rows
        truth = try telling { try Tensor(rows, shape: [features, width]) }
    }

    public var rowCount: Int? { nil }

    public func skip(rows: Int) { position += rows }

    public func next(rows: Int) throws(Problem) -> Tensor<Float> {
        defer { position += rows }
        let first = position
        return try telling {
            try Tensor(shape: [rows, width]) { memory in
                guard let base = memory.baseAddress else { return }
                memory.update(repeating: 0)
                directions.withUnsafeBufferPointer { directions in
                    for row in 0..<rows { fill(base + row * width, place: first + row, directions) }
                }
            }
        }
    }

    private func fill(
        _ row: UnsafeMutablePointer<Float>, place: Int, _ directions: UnsafeBufferPointer<Float>
    ) {
        var random = PhiloxGenerator(seed: seed, stream: 1, position: UInt64(place) << 20)
        let features = directions.count / width
        var chosen: [Int] = []
        // Floyd's way to draw different numbers: one draw each.
        for last in features - active..<features {
            let candidate = random.integer(in: 0..<last + 1)
            chosen.append(chosen.contains(candidate) ? last : candidate)
        }
        for feature in chosen {
            let span = amplitudes.upperBound - amplitudes.lowerBound
            let amplitude = Float(amplitudes.lowerBound + span * random.uniform())
            for i in 0..<width { row[i] += amplitude * directions[feature * width + i] }
        }
        if noise > 0 {
            for i in 0..<width { row[i] += Float(noise * random.normal()) }
        }
    }
}
