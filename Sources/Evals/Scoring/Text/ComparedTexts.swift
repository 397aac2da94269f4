/// Requirements for texts that are compared by n-grams.
enum ComparedTexts {
    /// Maximum bytes of a text: counting n-grams takes many times its size in memory.
    private static let longest = 2_000_000

    /// Returns why an answer and its targets cannot be compared; `nil` if they can.
    static func problem(_ answer: String, _ targets: [String]) -> String? {
        if targets.isEmpty { return "the sample has no target" }
        let isLong = ([answer] + targets).contains { $0.utf8.count > longest }
        return isLong ? "the answer or a target is longer than \(longest) bytes" : nil
    }
}
