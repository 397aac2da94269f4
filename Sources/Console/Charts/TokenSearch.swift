/// Text search in a sequence of tokens.
enum TokenSearch {
    /// Returns the token range of each match. Case is ignored, and matches do not overlap.
    static func matches(of needle: String, in texts: [String]) -> [Range<Int>] {
        let target = Array(needle.lowercased().unicodeScalars)
        guard let first = target.first else { return [] }
        var scalars: [Unicode.Scalar] = []
        var owner: [Int] = []
        for (index, text) in texts.enumerated() {
            for scalar in text.lowercased().unicodeScalars {
                scalars.append(scalar)
                owner.append(index)
            }
        }
        var ranges: [Range<Int>] = []
        var start = 0
        while start + target.count <= scalars.count {
            if scalars[start] == first, scalars[start..<start + target.count].elementsEqual(target) {
                ranges.append(owner[start]..<owner[start + target.count - 1] + 1)
                start += target.count
            } else {
                start += 1
            }
        }
        return ranges
    }
}
