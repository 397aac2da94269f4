import JSON

/// Objects of strings, as models write them.
enum JSONText {
    static func object(_ members: [(String, String)]) -> String {
        JSONValue.object(members.map { .init(key: $0.0, value: .string($0.1)) }).json()
    }
}
