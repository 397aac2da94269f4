import JSON
import Statistics
import TestFixtures
import Testing

/// Expected values from a JSON file.
struct Golden {
    var value: JSONValue

    /// - Returns: `nil` if the file is missing.
    init?(_ path: String) {
        guard let text = File.text(path), let value = try? JSONValue(json: text) else { return nil }
        self.value = value
    }

    init(value: JSONValue) { self.value = value }

    subscript(path: String) -> Golden {
        Golden(value: path.split(separator: ".").reduce(value) { $0[String($1)] ?? .null })
    }

    var double: Double { value.double ?? .nan }
    var int: Int { value.int ?? -1 }
    var doubles: [Double] { (value.elements ?? []).map { $0.double ?? .nan } }
    var ints: [Int] { (value.elements ?? []).map { $0.int ?? -1 } }
    var elements: [Golden] { (value.elements ?? []).map { Golden(value: $0) } }
    var isNull: Bool { value == .null }
}

/// Expects a value within 1e-9 of the golden value; the tolerance is relative above 1.
func expectClose(
    _ figure: Double?, _ golden: Golden, _ label: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    let expected = golden.double
    guard let figure else {
        #expect(golden.isNull, "\(label): nil, expected \(expected)", sourceLocation: sourceLocation)
        return
    }
    let gap = abs(figure - expected)
    #expect(
        gap <= 1e-9 * max(1, abs(expected)), "\(label): \(figure), expected \(expected)",
        sourceLocation: sourceLocation)
}

func expectClose(
    _ figures: [Double], _ golden: Golden, _ label: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    let expected = golden.elements
    #expect(figures.count == expected.count, "\(label)", sourceLocation: sourceLocation)
    for (place, (figure, value)) in zip(figures, expected).enumerated() {
        expectClose(figure, value, "\(label)[\(place)]", sourceLocation: sourceLocation)
    }
}
