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
            if let read = saved[name].flatMap(Value.init(archived:)), isValid(read) { value = read }
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
    init?(archived: JSONValue)
}

extension Bool: Archivable {
    package var archived: JSONValue { .bool(self) }
    package init?(archived: JSONValue) {
        guard let value = archived.bool else { return nil }
        self = value
    }
}

extension Int: Archivable {
    package var archived: JSONValue { .integer(self) }
    package init?(archived: JSONValue) {
        guard let value = archived.int else { return nil }
        self = value
    }
}

extension Int64: Archivable {
    package var archived: JSONValue { .integer(Int(self)) }
    package init?(archived: JSONValue) {
        guard let value = archived.int else { return nil }
        self = Int64(value)
    }
}

extension Double: Archivable {
    package var archived: JSONValue { .number(self) }
    package init?(archived: JSONValue) {
        guard let value = archived.double else { return nil }
        self = value
    }
}

extension String: Archivable {
    package var archived: JSONValue { .string(self) }
    package init?(archived: JSONValue) {
        guard let value = archived.string else { return nil }
        self = value
    }
}

extension Optional: Archivable where Wrapped: Archivable {
    package var archived: JSONValue { self?.archived ?? .null }
    package init?(archived: JSONValue) { self = Wrapped(archived: archived) }
}

extension Array: Archivable where Element: Archivable {
    package var archived: JSONValue { .array(map(\.archived)) }
    package init?(archived: JSONValue) {
        guard let elements = archived.elements else { return nil }
        self = elements.compactMap(Element.init(archived:))
    }
}
