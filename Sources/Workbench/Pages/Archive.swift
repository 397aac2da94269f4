package import JSON

/// The saved state of a page: one list of names and values that is both written and read.
///
/// ```swift
/// archive("view", &view)
/// archive("smoothing", &chart.smoothing) { TrendChart.smoothings.contains($0) }
/// ```
/// If a value is missing, invalid, or of a different type, the variable keeps its value.
package struct Archive {
    private let saved: JSONValue?
    private var members: [JSONValue.Member] = []

    init() { saved = nil }

    /// Creates an archive that reads a saved text; `nil` if the text is not JSON.
    init?(text: String) {
        guard let saved = try? JSONValue(json: text) else { return nil }
        self.saved = saved
    }

    package var isReading: Bool { saved != nil }
    var text: String { JSONValue.object(members).json() }

    package mutating func callAsFunction<Value: Archivable>(
        _ name: String, _ value: inout Value, isValid: (Value) -> Bool = { _ in true }
    ) {
        if let saved {
            if let read = saved[name].flatMap(Value.read), isValid(read) { value = read }
        } else {
            let archived = value.archived
            if archived != .null { members.append(.init(key: name, value: archived)) }
        }
    }

    package mutating func callAsFunction<Value: RawRepresentable>(_ name: String, _ value: inout Value)
    where Value.RawValue: Archivable {
        var raw = value.rawValue
        self(name, &raw)
        value = Value(rawValue: raw) ?? value
    }
}

/// A type that an `Archive` can hold.
package protocol Archivable {
    var archived: JSONValue { get }
    static func read(_ archived: JSONValue) -> Self?
}

extension Bool: Archivable {
    package var archived: JSONValue { .bool(self) }
    package static func read(_ archived: JSONValue) -> Self? { archived.bool }
}

extension Int: Archivable {
    package var archived: JSONValue { .integer(self) }
    package static func read(_ archived: JSONValue) -> Self? { archived.int }
}

extension Int64: Archivable {
    package var archived: JSONValue { .integer(Int(self)) }
    package static func read(_ archived: JSONValue) -> Self? { archived.int.map { Int64($0) } }
}

extension Double: Archivable {
    package var archived: JSONValue { .number(self) }
    package static func read(_ archived: JSONValue) -> Self? { archived.double }
}

extension String: Archivable {
    package var archived: JSONValue { .string(self) }
    package static func read(_ archived: JSONValue) -> Self? { archived.string }
}

extension Optional: Archivable where Wrapped: Archivable {
    package var archived: JSONValue { self?.archived ?? .null }
    package static func read(_ archived: JSONValue) -> Self? { .some(Wrapped.read(archived)) }
}

extension [String: Int]: Archivable {
    package var archived: JSONValue {
        .object(sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .integer($0.value)) })
    }
    package static func read(_ archived: JSONValue) -> Self? {
        archived.members.map { members in
            Dictionary(members.compactMap { member in member.value.int.map { (member.key, $0) } }) { $1 }
        }
    }
}

extension Array: Archivable where Element: Archivable {
    package var archived: JSONValue { .array(map(\.archived)) }
    package static func read(_ archived: JSONValue) -> Self? { archived.elements?.compactMap(Element.read) }
}
