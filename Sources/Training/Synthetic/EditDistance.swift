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
