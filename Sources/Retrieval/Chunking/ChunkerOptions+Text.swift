internal import Formatting
public import System

extension ChunkerOptions: CustomStringConvertible {
    /// All that matters for the kind, in an order that never changes: equal texts cut equally.
    public var description: String {
        var words = [kind.rawValue, "size=\(size)", "overlap=\(overlap)"]
        if unit == .tokens { words.append("unit=tokens") }
        if kind == .parentChild { words.append("parent=\(parentSize)") }
        if kind == .semantic {
            words.append(threshold.map { "threshold=\(Format.plain($0))" } ?? "percentile=\(Format.plain(percentile))")
        }
        if !trims { words.append("trim=no") }
        return words.joined(separator: " ")
    }

    /// Reads `KIND NAME=VALUE ...`; what is not said has the kind's default.
    ///
    /// Names: size, overlap, unit (characters or tokens), parent, percentile, threshold, trim (yes or no).
    /// - Throws: `Problem` that names the word and the valid ones.
    public init(parsing text: String) throws(Problem) {
        let place = "chunker \"\(text.prefix(200))\""
        let words = text.split(whereSeparator: { $0.isWhitespace || $0 == "," }).map(String.init)
        guard let first = words.first, let kind = Kind(rawValue: first.lowercased()) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(
                .unknown, place, "unknown chunker \"\((words.first ?? "").prefix(40))\"", remedy: "Use one of \(kinds)."
            )
        }
        var pairs: [(name: String, value: String)] = []
        for word in words.dropFirst() {
            guard let equals = word.firstIndex(of: "=") else {
                throw Problem(
                    .invalid, place, "\"\(word)\" is not a setting", remedy: "Write name=value, such as size=1000.")
            }
            pairs.append((word[..<equals].lowercased(), String(word[word.index(after: equals)...])))
        }
        var unit = Unit.characters
        if let value = pairs.last(where: { $0.name == "unit" })?.value {
            guard let named = Unit(rawValue: value.lowercased()) else {
                throw Problem(.unknown, place, "unknown unit \"\(value)\"", remedy: "Use characters or tokens.")
            }
            unit = named
        }
        self.init(kind, unit: unit)
        var saysOverlap = false
        for (name, value) in pairs where name != "unit" {
            saysOverlap = saysOverlap || name == "overlap"
            try set(name, value, place)
        }
        if !saysOverlap { overlap = min(overlap, size / 2) }
        try validate()
    }

    private mutating func set(_ name: String, _ value: String, _ place: String) throws(Problem) {
        switch name {
        case "size", "overlap", "parent":
            guard let number = Int(value) else {
                throw Problem(
                    .invalid, place, "\(name) must be a whole number, not \"\(value)\"", remedy: "Example: \(name)=200."
                )
            }
            if name == "size" {
                size = number
            } else if name == "overlap" {
                overlap = number
            } else {
                parentSize = number
            }
        case "percentile", "threshold":
            guard let number = Double(value), number.isFinite else {
                throw Problem(
                    .invalid, place, "\(name) must be a number, not \"\(value)\"", remedy: "Example: \(name)=0.7.")
            }
            if name == "percentile" { percentile = number } else { threshold = number }
        case "trim":
            guard ["yes", "no", "true", "false"].contains(value.lowercased()) else {
                throw Problem(
                    .unknown, place, "unknown value \"\(value)\" of trim", remedy: "Write trim=yes or trim=no.")
            }
            trims = value.lowercased() == "yes" || value.lowercased() == "true"
        default:
            throw Problem(
                .unknown, place, "unknown chunker setting \"\(name)\"",
                remedy: "Use size, overlap, unit, parent, percentile, threshold, or trim.")
        }
    }
}
