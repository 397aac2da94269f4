/// A toy model that was trained: x̂ = ReLU(WᵀW x + b).
public struct SuperpositionModel: Hashable, Sendable {
    /// Columns of W: `[n][m]`, the direction of each feature.
    public var directions: [[Double]]
    /// b, `[n]`.
    public var bias: [Double]
    /// Mean of Σ I (x − x̂)² over the last tenth of the steps.
    public var loss: Double
    /// Which start it is from.
    public var start: Int

    public init(directions: [[Double]], bias: [Double], loss: Double, start: Int) {
        self.directions = directions
        self.bias = bias
        self.loss = loss
        self.start = start
    }

    /// ‖W_i‖ of each feature: near 1 if it is represented, near 0 if not.
    public var norms: [Double] { directions.map { Self.product($0, $0).squareRoot() } }

    /// Features whose norm is above ½.
    public var represented: [Int] { norms.indices.filter { norms[$0] > 0.5 } }

    /// WᵀW, `[n][n]`.
    public var gram: [[Double]] { directions.map { a in directions.map { Self.product(a, $0) } } }

    /// D_i = ‖W_i‖² / Σ_j (Ŵ_i · W_j)²: the share of a dimension that a feature has; 0 for one that is not there.
    ///
    /// ½ is a pair, ⅔ a triangle, ⅖ a pentagon, ¾ a tetrahedron, ⅜ a square antiprism.
    public var dimensionalities: [Double] {
        gram.enumerated().map { i, row in
            let squares = row[i]
            let shared = row.reduce(0) { $0 + $1 * $1 }
            return shared > 1e-24 ? squares * squares / shared : 0
        }
    }

    public var geometry: SuperpositionGeometry { SuperpositionGeometry(represented.map { directions[$0] }) }

    static func product(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
}
