/// One combination of parameters: names with their values, in order.
public struct MatrixPoint: Hashable, Sendable {
    /// One parameter with its value.
    public struct Value: Hashable, Sendable {
        public var name: String
        public var value: Double
    }

    /// Values in the order in which the parameters were named.
    public var values: [Value]

    /// The value of a parameter; `nil` if it is not in the plan.
    public subscript(name: String) -> Double? { values.last { $0.name == name }?.value }
}

/// Expansion of a matrix of prompts, models, and parameters into runs.
public enum MatrixPlan {
    /// Returns every combination of parameters, the last one changing fastest; a single empty one without parameters.
    public static func points(_ parameters: [(name: String, values: [Double])]) -> [MatrixPoint] {
        parameters.filter { !$0.values.isEmpty }.reduce([MatrixPoint(values: [])]) { points, parameter in
            points.flatMap { point in
                parameter.values.map { MatrixPoint(values: point.values + [.init(name: parameter.name, value: $0)]) }
            }
        }
    }
}
