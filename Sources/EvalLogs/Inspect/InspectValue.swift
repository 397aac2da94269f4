internal import JSON

/// Values of Inspect's scores as numbers.
enum InspectValue {
    /// A score's scalar value: `C` 1, `P` 0.5, `I` and `N` 0, yes and true 1, no and false 0, texts of numbers as such.
    ///
    /// - Returns: `nil` for null (a missing score, which Inspect writes as NaN), and for values that are not scalar or
    ///   not numeric.
    static func number(_ node: JSONNode) -> Double? {
        switch node.kind {
        case .number: return node.double.flatMap { $0.isFinite ? $0 : nil }
        case .boolean: return node.bool == true ? 1 : 0
        case .string: return node.string.flatMap { number($0) }
        case .null, .array, .object: return nil
        }
    }

    static func number(_ text: String) -> Double? {
        switch text {
        case "C": return 1
        case "P": return 0.5
        case "I", "N": return 0
        default: break
        }
        switch text.lowercased() {
        case "yes", "true": return 1
        case "no", "false": return 0
        default: return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    /// The scores of a sample as a flat list: a scorer's dictionary of values becomes `scorer/key`, a list
    /// `scorer/0`.
    static func forEach(_ scores: JSONNode?, _ body: (_ name: String, _ value: JSONNode, _ score: JSONNode) -> Void) {
        guard let scores else { return }
        for (key, score) in scores.members {
            guard let name = key.string, let value = score["value"] else { continue }
            switch value.kind {
            case .object: for (part, one) in value.members { body(name + "/" + (part.string ?? ""), one, score) }
            case .array: for (place, one) in value.elements.enumerated() { body("\(name)/\(place)", one, score) }
            default: body(name, value, score)
            }
        }
    }
}
