/// Text search in a sequence of tokens.
enum TokenSearch {
    /// Returns the token range of each match. Case is ignored, and matches do not overlap.
    static func matches(of needle: String, in texts: [String]) -> [Range<Int>] {
        let wanted = Array(needle.lowercased().unicodeScalars)
        guard let first = wanted.first else { return [] }
        var scalars: [Unicode.Scalar] = []
        var owner: [Int] = []
        for (index, text) in texts.enumerated() {
            for scalar in text.lowercased().unicodeScalars {
                scalars.append(scalar)
                owner.append(index)
            }
        }
        var found: [Range<Int>] = []
        var start = 0
        while start + wanted.count <= scalars.count {
            if scalars[start] == first, scalars[start..<start + wanted.count].elementsEqual(wanted) {
                found.append(owner[start]..<owner[start + wanted.count - 1] + 1)
                start += wanted.count
            } else {
                start += 1
            }
        }
        return found
    }
}
