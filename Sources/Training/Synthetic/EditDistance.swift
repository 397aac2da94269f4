/// Levenshtein's distance: insertions, deletions and replacements that turn one text into the other. O(n m).
func editDistance(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
    let a = Array(a)
    let b = Array(b)
    var row = Array(0...b.count)
    for i in 0..<a.count {
        var diagonal = row[0]
        row[0] = i + 1
        for j in 0..<b.count {
            let replaced = diagonal + (a[i] == b[j] ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
        }
    }
    return row[b.count]
}

/// The name that was meant, where one is near: at most a third of its characters differ.
func nearestName(to name: String, among names: some Sequence<String>) -> String? {
    let best = names.map { (name: $0, distance: editDistance(name, $0)) }.min {
        ($0.distance, $0.name) < ($1.distance, $1.name)
    }
    guard let best, best.distance <= max(1, name.count / 3) else { return nil }
    return best.name
}
