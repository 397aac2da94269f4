public import Models
public import System

extension Hook {
    /// The hook of that name among those that a model has.
    ///
    /// - Throws: An error that names similar hooks, if there is no match.
    public static func named(_ name: String, among hooks: [Hook]) throws(Problem) -> Hook {
        if let hook = Hook(name), hooks.contains(hook) { return hook }
        throw .noHook(name, among: hooks)
    }

    /// The axis of tokens is the second, after that of heads.
    var isByHead: Bool {
        switch self {
        case .scores, .pattern: true
        default: false
        }
    }
}

extension Problem {
    static func noHook(_ name: String, among hooks: [Hook]) -> Problem {
        let wanted = name.prefix(64)
        let nearest = hooks.map(\.name).map { (name: $0, distance: distance($0, wanted)) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
        return Problem(
            .unknown, name, "unknown hook",
            remedy: nearest.isEmpty ? "" : "Similar hooks: \(nearest.joined(separator: ", ")).")
    }

    /// Insertions, deletions and replacements that turn one text into the other; changing digits is half as far, since
    /// another layer is nearer than another place.
    private static func distance(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
        let (a, b) = (Array(a), Array(b))
        var row = (0...b.count).map { 2 * $0 }
        for i in a.indices {
            var diagonal = row[0]
            row[0] += 2
            for j in b.indices {
                let step = a[i] == b[j] ? 0 : a[i].isNumber && b[j].isNumber ? 1 : 2
                let replaced = diagonal + step
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 2, row[j] + 2)
            }
        }
        return row[b.count]
    }
}
