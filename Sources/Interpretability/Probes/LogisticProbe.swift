public import System
public import Tensors

/// A linear classifier of activations: what can be read off them by a plane.
///
/// ```swift
/// let probe = try LogisticProbe.fit(rows, labels: labels)       // rows [n, d]
/// let direction = try probe.direction(of: 1)                    // [d], in the space of the activations
/// ```
///
/// Minimizes C Σ loss + ½‖w‖², the intercepts unpenalized, on standardized inputs: what scikit-learn's
/// `LogisticRegression` of a `StandardScaler` finds at the same C. Two classes share one sigmoid, more have a softmax.
public struct LogisticProbe: Equatable, Sendable {
    public struct Options: Hashable, Sendable {
        /// 1/λ on the sum of losses: smaller is stricter.
        public var c: Double
        /// Every column to mean 0 and deviation 1 (of the population) first.
        public var standardizes: Bool
        /// The greatest |gradient| at which it ends.
        public var tolerance: Double
        public var maximumIterations: Int

        public init(
            c: Double = 1, standardizes: Bool = true, tolerance: Double = 1e-6, maximumIterations: Int = 2_000
        ) {
            self.c = c
            self.standardizes = standardizes
            self.tolerance = tolerance
            self.maximumIterations = maximumIterations
        }
    }

    /// Labels, ascending.
    public let classes: [Int]
    /// `[1, d]` of two classes (of the greater one), else `[K, d]`; of standardized inputs.
    public let coefficients: Tensor<Double>
    /// One for each row of `coefficients`.
    public let intercepts: [Double]
    /// Standardization of the inputs, `[d]` each; 0 and 1 if inputs are not standardized.
    public let means: Tensor<Double>
    public let deviations: Tensor<Double>
    public let iterations: Int
    public let isConverged: Bool

    /// - Parameters:
    ///   - rows: `[n, d]`.
    ///   - labels: One label per row; at least two different ones.
    /// - Throws: `Problem` if sizes do not match, there is only one class, or a number is not finite.
    public static func fit(
        _ rows: Tensor<Float>, labels: [Int], options: Options = Options()
    ) throws(Problem) -> LogisticProbe {
        let classes = try check(rows, labels, options)
        let (means, deviations) = try standardization(rows, options)
        let inputs = try telling { try (rows.converted(to: Double.self) - means) / deviations }
        let places = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, $0) })
        let problem = LogisticProblem(
            inputs: inputs, targets: labels.map { places[$0] ?? 0 }, classCount: classes.count, c: options.c)
        let solver = QuasiNewton(tolerance: options.tolerance, maximumIterations: options.maximumIterations)
        let start = [Double](repeating: 0, count: problem.rowCount * (problem.width + 1))
        let minimum = try solver.minimize(from: start) { parameters throws(Problem) in
            try problem.evaluate(parameters)
        }
        let split = problem.rowCount * problem.width
        return LogisticProbe(
            classes: classes,
            coefficients: try telling {
                try Tensor(Array(minimum.place[..<split]), shape: [problem.rowCount, problem.width])
            },
            intercepts: Array(minimum.place[split...]), means: means, deviations: deviations,
            iterations: minimum.iterations, isConverged: minimum.isConverged)
    }

    private static func check(
        _ rows: Tensor<Float>, _ labels: [Int], _ options: Options
    ) throws(Problem) -> [Int] {
        guard rows.rank == 2, rows.shape[0] == labels.count, rows.shape[1] > 0 else {
            throw Problem(.invalid, "probe", "rows of shape \(rows.shape) do not match \(labels.count) labels")
        }
        guard options.c > 0, options.c.isFinite else {
            throw Problem(
                .invalid, "C", "\(options.c) is out of range",
                remedy: "Use a value above 0; smaller values regularize more.")
        }
        guard rows.elements.allSatisfy(\.isFinite) else {
            throw Problem(.invalid, "probe", "activations contain values that are not finite")
        }
        let classes = Set(labels).sorted()
        guard classes.count > 1 else {
            throw Problem(.invalid, "probe", "all rows have the same class", remedy: "Label some rows differently.")
        }
        return classes
    }

    private static func standardization(
        _ rows: Tensor<Float>, _ options: Options
    ) throws(Problem) -> (Tensor<Double>, Tensor<Double>) {
        try telling {
            let width = rows.shape[1]
            guard options.standardizes else {
                return (try Tensor(repeating: 0, shape: [width]), try Tensor(repeating: 1, shape: [width]))
            }
            let wide = try rows.converted(to: Double.self)
            let deviations = try wide.standardDeviation(0).elements.map { $0 > 0 ? $0 : 1 }
            return (try wide.mean(0), try Tensor(deviations))
        }
    }
}
