/// Requirements for texts that are compared by n-grams.
enum ComparedTexts {
    /// Counting n-grams takes memory many times a text's size: of longer texts none are counted.
    private static let longest = 2_000_000

    /// Returns why an answer and its targets cannot be compared; `nil` if they can.
    static func problem(_ answer: String, _ targets: [String]) -> String? {
        if targets.isEmpty { return "the sample has no target" }
        let isLong = ([answer] + targets).contains { $0.utf8.count > longest }
        return isLong ? "a text is longer than \(longest) bytes" : nil
    }
}
