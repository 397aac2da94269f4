internal import Formatting
public import System

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
        public var text: String { measure + side.rawValue + Format.plain(bound) }
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
    /// - Throws: `Problem` with the position.
    public init(_ text: String) throws(Problem) {
        let letters = Array(text.prefix(10_000))
        var rules: [Rule] = []
        var start = 0
        func place(_ index: Int) -> String { "Gate \"\(text.prefix(80))\", character \(index + 1)" }
        while start < letters.count || rules.isEmpty {
            guard let sign = letters[start...].firstIndex(where: { $0 == ">" || $0 == "<" || $0 == "=" }) else {
                throw Problem(
                    .missing, place(start), "expected a rule such as accuracy>=-0.01",
                    remedy: "Write name>=number or name<=number.")
            }
            let name = Self.trimmed(letters[start..<sign])
            guard !name.isEmpty else {
                throw Problem(
                    .missing, place(start), "the name before the comparison is missing",
                    remedy: "Write name>=number, such as accuracy>=-0.01.")
            }
            guard letters[sign] != "=", sign + 1 < letters.count, letters[sign + 1] == "=" else {
                throw Problem(.unsupported, place(sign), "unsupported comparison", remedy: "Write >= or <=.")
            }
            let end = letters[(sign + 2)...].firstIndex(of: ",") ?? letters.count
            let number = Self.trimmed(letters[(sign + 2)..<end])
            if number.hasSuffix("%") {
                throw Problem(
                    .invalid, place(sign + 2), "numbers must not have a percent sign",
                    remedy: "Write -0.01 to allow a drop of one percentage point.")
            }
            guard let bound = Double(number), bound.isFinite else {
                throw Problem(
                    .invalid, place(sign + 2), "\"\(number.prefix(40))\" is not a number",
                    remedy: "Write a limit for B - A, such as -0.01 to allow a drop of one percentage point.")
            }
            rules.append(Rule(measure: name, side: letters[sign] == ">" ? .atLeast : .atMost, bound: bound))
            start = end + 1
            if end + 1 == letters.count {
                throw Problem(
                    .missing, place(end), "expected a rule such as accuracy>=-0.01",
                    remedy: "Write name>=number or name<=number.")
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
