/// Words with their places, and runs of words that two texts share.
enum WordRuns {
    struct Word {
        /// Word in lower case.
        var text: String
        /// Bytes of the text.
        var range: Range<Int>
    }

    /// Runs of letters and digits.
    static func words(of text: String) -> [Word] {
        var words: [Word] = []
        var current = ""
        var start = 0
        var offset = 0
        for character in text {
            if character.isLetter || character.isNumber {
                if current.isEmpty { start = offset }
                current += character.lowercased()
            } else if !current.isEmpty {
                words.append(Word(text: current, range: start..<offset))
                current = ""
            }
            offset += character.utf8.count
        }
        if !current.isEmpty { words.append(Word(text: current, range: start..<offset)) }
        return words
    }

    /// Returns the places in `answer`, in bytes, where at least `length` words stand as they do somewhere in `source`,
    /// each as long as it goes. O(n + m) runs.
    static func shared(_ answer: [Word], with source: [Word], length: Int) -> [Range<Int>] {
        guard answer.count >= length, source.count >= length else { return [] }
        var runs: Set<[String]> = []
        for start in 0...source.count - length { runs.insert(source[start..<start + length].map(\.text)) }
        var found: [Range<Int>] = []
        var open: Range<Int>?
        for start in 0...answer.count - length where runs.contains(answer[start..<start + length].map(\.text)) {
            let range = start..<start + length
            if let before = open, before.upperBound > range.lowerBound {
                open = before.lowerBound..<range.upperBound
            } else {
                if let before = open { found.append(before) }
                open = range
            }
        }
        if let open { found.append(open) }
        return found.map { answer[$0.lowerBound].range.lowerBound..<answer[$0.upperBound - 1].range.upperBound }
    }
}
