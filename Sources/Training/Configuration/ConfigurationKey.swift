internal import Configuration

/// A configuration key: its type, default, and summary.
struct ConfigurationKey: Sendable {
    enum Kind: Sendable {
        case flag
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case text
        case choice([String])
        /// A name of a table that others can extend.
        case entry([String])
        case texts
        case integers(ClosedRange<Int>)
    }

    /// `data.context`.
    let name: String
    let kind: Kind
    let standard: ConfigurationValue
    /// What it does, in a few words.
    let summary: String
    /// Whether another value makes another curve: runs that differ here do not go on from each other's checkpoints.
    let shapesCurve: Bool
    /// Optimizer without which the key counts for nothing; `nil` for keys that every run has.
    let optimizer: String?

    init(
        _ name: String, _ kind: Kind, _ standard: ConfigurationValue, _ summary: String, shapesCurve: Bool = true,
        optimizer: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.summary = summary
        self.shapesCurve = shapesCurve
        self.optimizer = optimizer
    }

    /// `data`.
    var section: String { String(name[..<(name.lastIndex(of: ".") ?? name.startIndex)]) }
    /// `context`.
    var word: String { String(name[(name.lastIndex(of: ".").map { name.index(after: $0) } ?? name.startIndex)...]) }

    /// The value in the form that this key has; `nil` if it is of another type or out of range.
    func accepted(_ value: ConfigurationValue) -> ConfigurationValue? {
        switch (kind, value) {
        case (.flag, .flag), (.text, .text), (.texts, .texts): return value
        case (.texts, .text(let text)): return .texts([text])
        // An empty list has no type of its own.
        case (.integers, .texts(let texts)) where texts.isEmpty: return .integers([])
        case (.integer(let range), .integer(let integer)): return range.contains(integer) ? value : nil
        case (.integer(let range), .number(let number)):
            guard let integer = Int(exactly: number) else { return nil }
            return range.contains(integer) ? .integer(integer) : nil
        case (.number(let range), .integer(let integer)):
            return range.contains(Double(integer)) ? .number(Double(integer)) : nil
        case (.number(let range), .number(let number)): return range.contains(number) ? value : nil
        case (.choice(let names), .text(let text)), (.entry(let names), .text(let text)):
            return names.contains(text) ? value : nil
        case (.integers(let range), .integers(let all)): return all.allSatisfy(range.contains) ? value : nil
        default: return nil
        }
    }

    /// What to say about a value that the key does not accept.
    func problem(with value: ConfigurationValue?) -> String {
        var problem = "\(name) must be \(wants)."
        if case .entry(let names) = kind, case .text(let text) = value {
            problem += NearestName.question(about: text, among: names)
        }
        return problem
    }

    /// What it may be: "a number from 0 to 1", "\"text\" or \"tokens\"".
    var wants: String {
        switch kind {
        case .flag: return "true or false"
        case .integer(let range):
            return range.upperBound == .max
                ? "an integer of at least \(range.lowerBound)"
                : "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range):
            return range.upperBound == .greatestFiniteMagnitude
                ? "a number of at least \(range.lowerBound)"
                : "a number from \(range.lowerBound) to \(range.upperBound)"
        case .text: return "a string in quotes"
        case .choice(let names), .entry(let names):
            let quoted = names.map { "\"\($0)\"" }
            return quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
        case .texts: return "an array of strings"
        case .integers(let range): return "an array of integers of at least \(range.lowerBound)"
        }
    }
}
