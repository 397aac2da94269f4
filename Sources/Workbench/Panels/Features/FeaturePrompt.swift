internal import Tokenizers

/// A text whose features are shown: typed text, or a recorded generation with its prompt.
struct FeaturePrompt: Hashable, Sendable {
    var text = ""
    /// Tokens of a generation by the same model; `nil` if the text must be tokenized.
    var tokens: [TokenID]?
    var answer: KeptAnswer?

    /// A recorded generation whose tokens have the same positions as in the text.
    struct KeptAnswer: Hashable, Sendable {
        var id: Int64
        var promptCount: Int
        var stepCount: Int
    }

    /// Position of the cursor once the text is read.
    enum Place: Hashable, Sendable {
        case token(Int)
        /// The token that contains a byte of the text.
        case byte(Int)

        func token(in texts: [String]) -> Int {
            switch self {
            case .token(let token): return token
            case .byte(let byte):
                var end = 0
                return texts.firstIndex {
                    end += $0.utf8.count
                    return end > byte
                } ?? texts.count - 1
            }
        }
    }

    init(_ text: String = "") { self.text = text }

    var isEmpty: Bool { text.isEmpty && tokens?.isEmpty ?? true }

    /// Returns the reference to a token of the text for other panels.
    func reference(at token: Int) -> Reference? {
        guard let answer else { return nil }
        let step = token - answer.promptCount
        guard (0..<answer.stepCount).contains(step) else {
            return Reference(.generation, [answer.id], title: "answer \(answer.id)")
        }
        return Reference(.token, [answer.id, Int64(step)], title: "token \(step + 1) of an answer")
    }
}
