/// The name that a person may have meant.
enum NearestKey {
    /// The nearest of `names`; nil where none is near.
    static func to(_ word: String, among names: [String]) -> String? {
        if !word.hasSuffix("."), let longer = names.filter({ $0.hasPrefix(word) }).min() { return longer }
        let wanted = word.lowercased().prefix(64)
        let near = names.map { (name: $0, distance: editDistance($0.lowercased().prefix(64), wanted)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let near, near.distance <= max(2, word.count / 3) else { return nil }
        return near.name
    }
}
