/// Rules for how much worse B may be than A: `accuracy>=-0.01`, several rules separated by commas.
public struct EvalGate: Hashable, Sendable {
    /// A bound on the difference B - A of one measure.
    public struct Rule: Hashable, Sendable {
        /// Sides of the bound that the difference must be on.
        public enum Side: String, Hashable, Sendable, CaseIterable {
            case atLeast = ">="
            case atMost = "<="
        }

        /// Measure as written: the name of a score, `accuracy` for the first score, `seconds`, `tokens`, or `cost`.
        public var measure: String
        public var side: Side
        /// Smallest or largest allowed difference B - A, in the measure's own unit: 0.01 is one point of accuracy.
        public var bound: Double

        public init(measure: String, side: Side, bound: Double) {
            self.measure = measure
            self.side = side
            self.bound = bound
        }

        /// Text of the rule: `seconds<=1`, `accuracy>=-0.01`.
        public var text: String {
            let isWhole = bound == bound.rounded() && bound.magnitude < 1e15
            return measure + side.rawValue + (isWhole ? "\(Int(bound))" : "\(bound)")
        }
    }

    /// Rules, all of which must hold.
    public var rules: [Rule]
    /// Maximum share of A's scored samples without a value in B; beyond it, the gate is inconclusive.
    public var mostLost: Double

    public init(rules: [Rule], mostLost: Double = 0.05) {
        self.rules = rules
        self.mostLost = mostLost
    }

    /// Parses `name >= number` and `name <= number`, separated by commas; names may contain commas (`acc,none`).
    ///
    /// - Throws: `EvalGateError` with the position.
    public init(_ text: String) throws(EvalGateError) {
        let letters = Array(text.prefix(10_000))
        var rules: [Rule] = []
        var place = 0
        while place < letters.count || rules.isEmpty {
            guard let sign = letters[place...].firstIndex(where: { $0 == ">" || $0 == "<" || $0 == "=" }) else {
                throw EvalGateError(text: text, place: place, problem: .noComparison)
            }
            let name = Self.trimmed(letters[place..<sign])
            guard !name.isEmpty else { throw EvalGateError(text: text, place: place, problem: .noName) }
            guard letters[sign] != "=", sign + 1 < letters.count, letters[sign + 1] == "=" else {
                throw EvalGateError(text: text, place: sign, problem: .wrongComparison)
            }
            let end = letters[(sign + 2)...].firstIndex(of: ",") ?? letters.count
            let number = Self.trimmed(letters[(sign + 2)..<end])
            if number.hasSuffix("%") { throw EvalGateError(text: text, place: sign + 2, problem: .percent) }
            guard let bound = Double(number), bound.isFinite else {
                throw EvalGateError(text: text, place: sign + 2, problem: .noNumber(number))
            }
            rules.append(Rule(measure: name, side: letters[sign] == ">" ? .atLeast : .atMost, bound: bound))
            place = end + 1
            if end + 1 == letters.count {
                throw EvalGateError(text: text, place: end, problem: .noComparison)
            }
        }
        self.init(rules: rules)
    }

    private static func trimmed(_ letters: ArraySlice<Character>) -> String {
        let start = letters.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}

/// A syntax error in a gate, with its position.
public struct EvalGateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of syntax errors.
    public enum Problem: Hashable, Sendable {
        case noComparison
        case noName
        case wrongComparison
        case percent
        case noNumber(String)
    }

    /// The whole gate as written.
    public var text: String
    /// Character index of the error, starting at 0.
    public var place: Int
    public var problem: Problem

    public var sentence: String {
        let what =
            switch problem {
            case .noComparison: "a rule like accuracy>=-0.01 is missing. Write name>=number or name<=number."
            case .noName: "the name before the comparison is missing. Write name>=number, such as accuracy>=-0.01."
            case .wrongComparison: "unsupported comparison. Write >= or <=."
            case .percent: "numbers must not have a percent sign. Write -0.01 for one point."
            case .noNumber(let found):
                "\"\(found.prefix(40))\" is not a number. Write a limit for B - A, such as -0.01 for one point."
            }
        return "Gate \"\(text.prefix(80))\", character \(place + 1): \(what)"
    }

    public var description: String { sentence }
}
