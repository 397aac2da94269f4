internal import Traces

/// Completion of a filter as it is typed.
enum FilterLine {
    /// Returns complete candidates for the word before the cursor.
    static func completions(of text: String, _ store: TraceStore) -> [String] {
        let typed = Array(text)
        let word = (typed.lastIndex(of: " ") ?? -1) + 1
        return Filter.completions(for: text, at: typed.count) { field in (try? store.values(of: field)) ?? [] }
            .filter { $0.range.lowerBound >= word }
            .map { (String(typed[word..<$0.range.lowerBound]) + $0.replacement).trimmed }
    }
}
