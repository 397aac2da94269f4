/// What the calculator can do by name.
enum CalculatorFunction: String, CaseIterable {
    case sqrt, abs, min, max, round

    /// Names are known in any case.
    init?(_ name: String) { self.init(rawValue: name.lowercased()) }

    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    private var counts: ClosedRange<Int> {
        switch self {
        case .sqrt, .abs: 1...1
        case .min, .max: 1...Int.max
        case .round: 1...2
        }
    }

    /// - Parameter place: Position of the name, for error sentences.
    func value(of arguments: [CalculatorValue], at place: Int) throws(ToolError) -> CalculatorValue {
        guard counts.contains(arguments.count), let first = arguments.first else {
            let wanted =
                switch self {
                case .sqrt, .abs: "1 argument"
                case .min, .max: "1 argument or more"
                case .round: "1 or 2 arguments"
                }
            throw ToolError("\(rawValue) takes \(wanted), not \(arguments.count), at character \(place)")
        }
        switch self {
        case .sqrt:
            guard !first.isNegative else {
                throw ToolError("square root of a negative number at character \(place)")
            }
            return try Expression.known(first.squareRoot, at: place)
        case .abs: return first.isNegative ? try Expression.known(first.negated, at: place) : first
        case .min: return arguments.dropFirst().reduce(first) { $1.isLess(than: $0) ? $1 : $0 }
        case .max: return arguments.dropFirst().reduce(first) { $0.isLess(than: $1) ? $1 : $0 }
        case .round:
            var digits = 0
            if arguments.count == 2 {
                guard let given = arguments[1].integer, (0...6).contains(given) else {
                    throw ToolError("round takes 0 to 6 digits at character \(place)")
                }
                digits = Int(given)
            }
            return try Expression.known(first.rounded(digits: digits), at: place)
        }
    }
}
