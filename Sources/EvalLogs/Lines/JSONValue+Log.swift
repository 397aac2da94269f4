internal import JSON

extension JSONValue {
    /// A text as it is, any other value as JSON; `nil` for null.
    var text: String? {
        switch self {
        case .null: nil
        case .string(let text): text
        default: json()
        }
    }

    /// Number, or a Boolean as 1 and 0; `nil` for anything else.
    var score: Double? {
        if let bool { return bool ? 1 : 0 }
        return double.flatMap { $0.isFinite ? $0 : nil }
    }

    var timestamp: Int64? { string.flatMap { nanosecondsSince1970(iso8601: $0) } }
}
