package import System
package import TOMLKit

/// A table of a TOML file whose values are checked as they are read.
///
/// Each function returns `nil` if the key is missing, and throws a `Problem` that names file, table, and key if the value
/// has the wrong type or is out of range.
package struct TOMLSection {
    /// Values by key.
    package let table: TOMLTable
    /// Path for error messages.
    package let file: String
    /// Names of the enclosing tables and this one, joined by dots; empty for the whole file.
    package let place: String

    package init(_ table: TOMLTable, file: String, place: String = "") {
        (self.table, self.file, self.place) = (table, file, place)
    }

    /// Creates the section of a whole file.
    ///
    /// - Throws: `Problem` with the line if the text is not valid TOML.
    package init(parsing text: String, file: String) throws(Problem) {
        do { self.init(try TOMLDocument(text).root, file: file) } catch {
            throw Problem(.invalid, file, error.line.map { "line \($0): \(error.sentence)" } ?? error.sentence)
        }
    }

    /// Returns an error about this table.
    package func error(_ problem: String, _ remedy: String = "") -> Problem {
        Problem(.invalid, place.isEmpty ? file : "\(file), [\(place)]", problem, remedy: remedy)
    }

    /// Rejects the first key that is not in a list.
    package func check(_ known: [String]) throws(Problem) {
        for key in table.keys where !known.contains(key) {
            let near = NearestName.suggestion(for: key, among: known)
            throw error("unknown key \(key.prefix(80))", near ?? "Keys: \(known.joined(separator: ", ")).")
        }
    }

    package func text(_ key: String) throws(Problem) -> String? {
        try value(key, "a string in quotes") { $0.string }
    }

    package func texts(_ key: String) throws(Problem) -> [String]? {
        try value(key, "an array of strings") { value in
            guard let list = value.array.map(Array.init) else { return nil }
            let texts = list.compactMap(\.string)
            return texts.count == list.count ? texts : nil
        }
    }

    package func integer<N: FixedWidthInteger>(_ key: String, _ range: ClosedRange<N>) throws(Problem) -> N? {
        try value(key, "an integer from \(range.lowerBound) to \(range.upperBound)") { value in
            value.int.flatMap { N(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    package func number(_ key: String, _ range: ClosedRange<Double>) throws(Problem) -> Double? {
        try value(key, "a number from \(range.lowerBound) to \(range.upperBound)") { value in
            (value.double ?? value.int.map(Double.init)).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns a minimum and a maximum, written as `[2, 4]`.
    package func range(_ key: String, _ limits: ClosedRange<Int>) throws(Problem) -> ClosedRange<Int>? {
        let wanted = "a minimum and a maximum, such as [2, 4], from \(limits.lowerBound) to \(limits.upperBound)"
        return try value(key, wanted) { value in
            let numbers = value.array.map(Array.init)?.compactMap(\.int) ?? []
            guard numbers.count == 2, numbers[0] <= numbers[1], numbers.allSatisfy(limits.contains) else { return nil }
            return numbers[0]...numbers[1]
        }
    }

    /// Returns a table within this one.
    ///
    /// - Parameter known: Allowed keys; `nil` if the caller checks them.
    package func section(_ key: String, _ known: [String]? = nil) throws(Problem) -> TOMLSection? {
        guard let content = try value(key, "a table", { $0.table }) else { return nil }
        let found = TOMLSection(content, file: file, place: place.isEmpty ? key : "\(place).\(key)")
        if let known { try found.check(known) }
        return found
    }

    private func value<Value>(
        _ key: String, _ wanted: String, _ read: (any TOMLValueConvertible) -> Value?
    ) throws(Problem) -> Value? {
        guard let value = table[key] else { return nil }
        guard let accepted = read(value) else { throw error("\(key) must be \(wanted)") }
        return accepted
    }
}
