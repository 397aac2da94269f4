/// Translation edit rate: edits of words and shifts of word runs that turn the answer into a reference, divided by the
/// reference's words, in percent. Lower is better.
///
/// Case is ignored, and words are separated by whitespace. Shifts are chosen greedily as in Tercom: runs of at most 10
/// words over at most 50 positions, at most 1,000 tried, with the edit distance in a band of 25 around the diagonal.
/// Source: Snover et al., AMTA 2006; limits and ranking of Tercom 0.7.25 as in sacrebleu.
public enum TER {
    /// Number of edits, and mean length of the references.
    public struct Statistics: Hashable, Sendable {
        public var edits: Double
        public var words: Double

        public init(edits: Double = 0, words: Double = 0) {
            self.edits = edits
            self.words = words
        }

        static func += (sum: inout Statistics, one: Statistics) {
            sum.edits += one.edits
            sum.words += one.words
        }

        /// Score in percent; may be above 100.
        public var score: Double { words > 0 ? 100 * (edits / words) : edits > 0 ? 100 : 0 }
    }

    /// Maximum words of a text: time grows with their square.
    static let longest = 2_000

    /// Returns statistics of one answer against the reference with the fewest edits; `nil` without references, or if a
    /// text has more than ``longest`` words.
    public static func statistics(_ answer: String, references: [String]) -> Statistics? {
        guard !references.isEmpty else { return nil }
        let words = TextWords.split(answer.lowercased())
        var fewest = Int.max
        var length = 0
        for reference in references {
            let wanted = TextWords.split(reference.lowercased())
            guard words.count <= longest, wanted.count <= longest else { return nil }
            fewest = min(fewest, edits(words, wanted))
            length += wanted.count
        }
        return Statistics(edits: Double(fewest), words: Double(length) / Double(references.count))
    }

    /// Returns the score of all answers together, in percent.
    public static func corpus(_ answers: [String], references: [[String]]) -> Double {
        var sum = Statistics()
        for (answer, references) in zip(answers, references) {
            if let one = statistics(answer, references: references) { sum += one }
        }
        return sum.score
    }

    /// Returns shifts and edits together.
    private static func edits(_ words: [String], _ wanted: [String]) -> Int {
        guard !wanted.isEmpty else { return words.count }
        var numbers: [String: Int] = [:]
        func number(_ word: String) -> Int {
            if let number = numbers[word] { return number }
            numbers[word] = numbers.count
            return numbers.count - 1
        }
        let goal = wanted.map(number)
        var current = words.map(number)
        var distance = BandedEditDistance(goal)
        var shifts = 0
        var tried = 0
        while true {
            let (gain, shifted) = TERShifts.best(current, goal, &distance, &tried)
            if tried >= TERShifts.mostTried || gain <= 0 { break }
            shifts += 1
            current = shifted
        }
        return shifts + distance.measure(current)
    }
}
