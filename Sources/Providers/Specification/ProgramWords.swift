internal import System

/// The program that `exec:` names, and its arguments.
enum ProgramWords {
    /// See `CommandWords`: no shell sees them.
    static func split(_ text: String) throws(Problem) -> [String] {
        let words: [String]
        do { words = try CommandWords.split(text) } catch { throw Problem(.invalid, "", "exec: \(error.what)") }
        guard let program = words.first, !program.isEmpty else { throw Problem(.invalid, "", "exec: needs a program") }
        guard words.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw Problem(.invalid, "", "exec: the command contains a zero byte")
        }
        return words
    }

    /// A word such that `split` gives it back.
    static func quoted(_ word: String) -> String {
        let plain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+%@~".contains($0) }
        if plain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
