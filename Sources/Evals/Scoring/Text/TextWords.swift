/// Words as published text metrics split them: at Unicode whitespace and the four ASCII separators.
enum TextWords {
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0: true
        case 0..<0x80: false
        default: scalar.properties.isWhitespace
        }
    }

    static func split(_ scalars: some Collection<Unicode.Scalar>) -> [String] {
        scalars.split(whereSeparator: isSpace).map { word in
            var text = String.UnicodeScalarView()
            text.append(contentsOf: word)
            return String(text)
        }
    }

    static func split(_ text: String) -> [String] { split(text.unicodeScalars) }
}

/// Counts of each sequence of n elements.
struct NGramCounts<Element: Hashable> {
    let counts: [ArraySlice<Element>: Int]

    /// Creates the counts of one order. O(n · length).
    init(_ elements: [Element], order: Int) {
        var counts: [ArraySlice<Element>: Int] = [:]
        if elements.count >= order {
            for start in 0...(elements.count - order) { counts[elements[start..<start + order], default: 0] += 1 }
        }
        self.counts = counts
    }

    var total: Int { counts.values.reduce(0, +) }

    /// Returns Σ min(count here, count there).
    func matches(_ other: NGramCounts) -> Int {
        counts.reduce(0) { sum, one in sum + min(one.value, other.counts[one.key] ?? 0) }
    }
}
