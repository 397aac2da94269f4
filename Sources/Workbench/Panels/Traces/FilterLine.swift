internal import Traces

/// Completion of a filter as it is typed.
enum FilterLine {
    /// Candidates for the word before the cursor, each whole.
    static func completions(of text: String, _ store: TraceStore) -> [String] {
        Filter.completions(for: text, at: text.utf8.count) { field in (try? store.values(of: field)) ?? [] }
            .map(\.replacement)
    }
}
