extension EpochReducer {
    /// Name in tasks and logs, such as `mean`, `at_least_2`, `pass_at_5`, or `pass_all_5`.
    public var name: String {
        switch self {
        case .mean: "mean"
        case .median: "median"
        case .mode: "mode"
        case .max: "max"
        case .atLeast(let count): "at_least_\(count)"
        case .passAt(let count): "pass_at_\(count)"
        case .passAll(let count): "pass_all_\(count)"
        }
    }

    /// Creates a reducer from its name, including `pass_k_5`, Inspect's name for `pass_all_5`.
    ///
    /// - Returns: `nil` for an unknown name.
    public init?(named name: String) {
        func count(_ prefix: String) -> Int? {
            name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)).flatMap { $0 > 0 ? $0 : nil } : nil
        }
        switch name {
        case "mean": self = .mean
        case "median": self = .median
        case "mode": self = .mode
        case "max": self = .max
        default:
            if let count = count("at_least_") {
                self = .atLeast(count)
            } else if let count = count("pass_at_") {
                self = .passAt(count)
            } else if let count = count("pass_all_") ?? count("pass_k_") {
                self = .passAll(count)
            } else {
                return nil
            }
        }
    }

    /// Whether the result is a pass rate, regardless of the scale of the values.
    public var countsPasses: Bool {
        switch self {
        case .atLeast, .passAt, .passAll: true
        case .mean, .median, .mode, .max: false
        }
    }
}
