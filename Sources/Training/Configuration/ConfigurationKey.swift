internal import Configuration

/// A configuration key: its type, default, and summary.
struct ConfigurationKey: Sendable {
    /// The type of a value.
    enum Kind: Sendable {
        case flag
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case text
        case choice([String])
        /// A name from a table that programs can extend. Errors suggest the nearest name.
        case entry([String])
        case texts
        case integers(ClosedRange<Int>)
    }

    /// Full name, such as `data.context`.
    let name: String
    let kind: Kind
    let defaultValue: ConfigurationValue
    /// Effect of the key, as a comment in the explained configuration.
    let summary: String
    /// Whether the value affects the loss curve. A run cannot resume from a checkpoint with a different value.
    let shapesCurve: Bool
    /// Name of the only optimizer that the key applies to; `nil` if it applies to all.
    ///
    /// Runs with another optimizer exclude the key from their digests.
    let optimizer: String?

    init(
        _ name: String, _ kind: Kind, _ defaultValue: ConfigurationValue, _ summary: String, shapesCurve: Bool = true,
        optimizer: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.summary = summary
        self.shapesCurve = shapesCurve
        self.optimizer = optimizer
    }

    /// Section, such as `data`.
    var section: String { String(name[..<(name.lastIndex(of: ".") ?? name.startIndex)]) }
    /// Name within the section, such as `context`.
    var word: String { String(name[(name.lastIndex(of: ".").map { name.index(after: $0) } ?? name.startIndex)...]) }

    /// Returns the value converted to the key's type; `nil` if the type does not match or the value is out of range.
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

    /// Returns the error message for a value that the key does not accept.
    func problem(with value: ConfigurationValue?) -> String {
        var problem = "\(name) must be \(wants)."
        if case .entry(let names) = kind, case .text(let text) = value {
            problem += NearestName.question(about: text, among: names)
        }
        return problem
    }

    /// Valid values for an error message: "a number from 0 to 1", "\"text\" or \"tokens\"".
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
