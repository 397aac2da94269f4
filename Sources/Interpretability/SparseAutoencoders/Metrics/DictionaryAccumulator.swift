public import System
public import Tensors

/// Adds up what `DictionaryMeasures` are made of, batch after batch, in double.
///
/// ```swift
/// var accumulator = DictionaryAccumulator(for: dictionary)
/// while accumulator.rowCount < 100_000 { try accumulator.add(try source.next(rows: 4_096), through: dictionary) }
/// print(accumulator.measures.explainedVariance)
/// ```
/// The result does not depend on how rows are cut into batches, but for rounding.
public struct DictionaryAccumulator: Sendable {
    private var inputs: ColumnMoments
    private var errors: ColumnMoments
    private let width: Int
    private var firings: [Int]
    private var active = 0
    private var sum = 0.0
    private var squaredError = 0.0
    private var cosines = 0.0
    private var ratios = 0.0
    private var outputSquares = 0.0
    private var products = 0.0

    public init(width: Int, featureCount: Int) {
        self.width = width
        inputs = ColumnMoments(width: width)
        errors = inputs
        firings = [Int](repeating: 0, count: featureCount)
    }

    public init(for dictionary: SparseAutoencoder) {
        self.init(width: dictionary.inputWidth, featureCount: dictionary.featureCount)
    }

    public var rowCount: Int { inputs.count }

    /// Adds rows, encoded and decoded here.
    public mutating func add(
        _ rows: Tensor<Float>, through dictionary: SparseAutoencoder
    ) throws(Problem) {
        let rows = try InputRows.flattened(rows, width: dictionary.inputWidth)
        let codes = try dictionary.encode(rows)
        try add(rows, codes, try dictionary.decode(codes, of: rows))
    }

    /// Adds rows with their codes and reconstructions.
    ///
    /// - Parameter rows: `[n, d]`, as the reconstructions are.
    public mutating func add(
        _ rows: Tensor<Float>, _ codes: SparseCodes, _ reconstructions: Tensor<Float>
    ) throws(Problem) {
        guard rows.shape == reconstructions.shape, rows.shape == [codes.rows, width], codes.width == firings.count
        else {
            throw Problem(
                .invalid, "measures",
                "rows \(rows.shape), codes [\(codes.rows), \(codes.width)], and reconstructions "
                    + "\(reconstructions.shape) do not match \(firings.count) features of width \(width)")
        }
        try codes.check()
        for feature in codes.features { firings[Int(feature)] += 1 }
        active += codes.features.count
        for value in codes.values { sum += Double(value) }
        guard codes.rows > 0 else { return }
        try telling {
            try rows.withElements { x throws(TensorError) in
                try reconstructions.withElements { y in
                    inputs.add(x.baseAddress!, rows: codes.rows)
                    errors.add(x.baseAddress!, minus: y.baseAddress!, rows: codes.rows)
                    for row in 0..<codes.rows { add(x.baseAddress! + row * width, y.baseAddress! + row * width) }
                }
            }
        }
    }

    private mutating func add(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>) {
        var (xx, yy, xy, ee) = (0.0, 0.0, 0.0, 0.0)
        for i in 0..<width {
            let (a, b) = (Double(x[i]), Double(y[i]))
            xx += a * a
            yy += b * b
            xy += a * b
            ee += (a - b) * (a - b)
        }
        squaredError += ee
        outputSquares += yy
        products += xy
        if xx > 0 {
            ratios += (yy / xx).squareRoot()
            if yy > 0 { cosines += xy / (xx * yy).squareRoot() }
        }
    }

    /// Measures so far; NaN if a denominator is 0.
    public var measures: DictionaryMeasures {
        let rows = Double(rowCount)
        return DictionaryMeasures(
            rowCount: rowCount, meanActive: Double(active) / rows, meanSum: sum / rows,
            meanSquaredError: squaredError / rows, explainedVariance: 1 - errors.total / inputs.total,
            unexplainedVariance: squaredError / inputs.total, cosine: cosines / rows, lengthRatio: ratios / rows,
            reconstructionBias: outputSquares / products, firings: firings)
    }
}
