import Evals
import JSON
import Statistics

/// A comparison of reference values with values recomputed from their inputs.
struct GoldenCheck: JSONRepresentable {
    private let golden: JSONValue
    private(set) var values = 0
    private(set) var difference = 0.0
    private(set) var worst = ""
    private(set) var missing: [String] = []

    init(_ text: String) throws {
        golden = try JSONValue(json: text)
        let found = GoldenValues(golden).all
        for family in golden.members ?? [] where !family.key.hasSuffix("_in") && family.key != "versions" {
            compare(family.value, family.key, found)
        }
    }

    private mutating func compare(_ expected: JSONValue, _ name: String, _ found: [String: Double?]) {
        if let members = expected.members {
            for member in members { compare(member.value, "\(name).\(member.key)", found) }
        } else if let elements = expected.elements {
            for (place, element) in elements.enumerated() { compare(element, "\(name).\(place)", found) }
        } else if let number = expected.double {
            values += 1
            guard let value = found[name] ?? nil else { return missing.append(name) }
            let distance = abs(value - number) / max(1, abs(number))
            // NaN counts as the largest possible error.
            if !(distance <= difference) {
                difference = distance.isNaN ? .infinity : distance
                worst = name
            }
        }
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("values", values)
            $0.member("difference", difference.isFinite ? difference : 1e300)
            $0.member("worst", worst)
            $0.member("missing", missing)
        }
    }
}
