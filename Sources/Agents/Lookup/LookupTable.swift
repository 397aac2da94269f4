/// Values by "subject attribute" keys.
///
/// Keys are compared in lower case, with runs of white space as one space.
public struct LookupTable: Sendable {
    private var keys: [String] = []
    private var values: [String] = []
    private var places: [String: Int] = [:]

    /// Maximum number of entries in a table.
    public static let maximumCount = 1_000_000

    public init() {}

    /// - Throws: `ToolError` if a key is empty or has two values.
    public init(_ entries: some Sequence<(key: String, value: String)>) throws(ToolError) {
        for (key, value) in entries { try add(key, value) }
    }

    public var count: Int { keys.count }

    mutating func add(_ key: String, _ value: String) throws(ToolError) {
        let key = Self.spaced(key)
        guard !key.isEmpty else { throw ToolError("the table has an empty key") }
        let folded = key.lowercased()
        if let known = places[folded] {
            guard values[known] == value else {
                throw ToolError("the key \"\(key.prefix(100))\" has two values in the table")
            }
            return
        }
        guard keys.count < Self.maximumCount else {
            throw ToolError("the table has more than \(Self.maximumCount) entries")
        }
        places[folded] = keys.count
        keys.append(key)
        values.append(value)
    }

    /// The value of a key; `nil` if the table has no such key.
    public subscript(key: String) -> String? { places[Self.spaced(key).lowercased()].map { values[$0] } }

    /// What the tool says: the value, or that there is none, with the keys that are near.
    ///
    /// - Parameter isCancelled: Ends the search for near keys.
    public func answer(to key: String, isCancelled: () -> Bool = { false }) -> String {
        if let value = self[key] { return value }
        let asked = Self.spaced(key)
        let near = nearKeys(to: asked.lowercased(), isCancelled)
        return "no entry for \(asked)" + (near.isEmpty ? "" : "; near: " + near.joined(separator: ", "))
    }

    /// At most three keys within two edits, and within a third of the key's characters; nearest first.
    private func nearKeys(to asked: String, _ isCancelled: () -> Bool) -> [String] {
        let wanted = Array(asked.unicodeScalars)
        let limit = min(2, wanted.count / 3)
        guard limit > 0 else { return [] }
        var found: [(distance: Int, place: Int)] = []
        for (place, key) in keys.enumerated() {
            if place % 4_096 == 4_095, isCancelled() { break }
            // A scalar has at most four bytes, so keys whose lengths differ by more cannot be near.
            guard abs(key.utf8.count - asked.utf8.count) <= 4 * limit else { continue }
            let distance = Self.distance(wanted, Array(key.lowercased().unicodeScalars), limit)
            if distance <= limit { found.append((distance, place)) }
        }
        return found.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(3).map { keys[$0.place] }
    }

    /// Returns the number of insertions, deletions, and substitutions between two texts (Levenshtein distance), or a
    /// value above `limit` if it exceeds that.
    private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar], _ limit: Int) -> Int {
        guard abs(one.count - other.count) <= limit else { return limit + 1 }
        var row = Array(0...other.count)
        for (i, scalar) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            var least = row[0]
            for (j, candidate) in other.enumerated() {
                let changed = diagonal + (scalar == candidate ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
                least = min(least, row[j + 1])
            }
            if least > limit { return limit + 1 }
        }
        return row[other.count]
    }

    /// Words with one space between them.
    private static func spaced(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
