/// The words and numbers that a model has read: its question, its documents, and the results of tools.
///
/// What a model writes beyond them is invented, or comes from its training. A number counts as read if it is the rounded
/// form of one that was; a word, if a word with the same beginning was. Function words never count as invented.
struct Grounding {
    private var words = Set(CalculatorFunction.allCases.map(\.rawValue))
    private var numbers: Set<Double> = []
    private let operators: Set<String>

    init(question: String, documents: [String]) {
        operators = Self.operators(in: question)
        for text in [question] + documents { read(text) }
    }

    /// - Parameter invented: Words of the call that led to the text; "no entry for Paris" does not make Paris known.
    mutating func read(_ text: String, after invented: [String] = []) {
        let echoes = Set(invented.map { $0.lowercased() })
        for token in Self.tokens(of: text, joiningThousands: true) + Self.tokens(of: text, joiningThousands: false)
        where !echoes.contains(token.text) {
            if let number = token.number ?? Self.numerals[token.text] { numbers.insert(number) }
            words.insert(token.text)
        }
    }

    /// Returns the names and numbers of a tool's arguments that were never read, in order, each once, and the operators
    /// if the question asks for none of them.
    ///
    /// Other words are often paraphrases, such as `age` for "how old": they count if no word was read. Numbers that
    /// computations often need, such as 100 for percentages, never count.
    func invented(inArguments text: String) -> [String] {
        let tokens = Self.tokens(of: text, joiningThousands: false)
        let isParaphrase = tokens.contains { $0.number == nil && isRead($0) }
        let missing = missing(tokens).filter { token in
            token.number.map { !Self.constants.contains($0) } ?? (!isParaphrase || token.isName)
        }
        let used = Self.operators(in: text)
        return missing.map(\.shown) + (operators.isEmpty || !operators.isDisjoint(with: used) ? [] : used.sorted())
    }

    /// Operators between spaces, as in `84 + 57`.
    private static func operators(in text: String) -> Set<String> {
        let signs = ["×": "*", "·": "*", "÷": "/", "−": "-"]
        let words = text.split(whereSeparator: \.isWhitespace).map { signs[String($0)] ?? String($0) }
        return Set(words).intersection(["+", "-", "*", "/", "%", "^"])
    }

    /// Returns what an answer makes up: empty if it rests on what was read, which means that no number or name is new
    /// and at least one word is not.
    func invented(inAnswer answer: String) -> [String] {
        let tokens = Self.tokens(of: answer, joiningThousands: true)
        let missing = missing(tokens)
        // The capital letter of a first word means nothing, unless everything else was read: "Marlon repairs clocks."
        let hasNewName = missing.contains { token in
            token.isName && (!token.startsSentence || missing.count == 1 && !answer.contains(token.shown + ","))
        }
        let isSupported =
            !hasNewName && missing.allSatisfy { $0.number == nil } && missing.count < Set(tokens.map(\.text)).count
        return isSupported || self.missing(Self.tokens(of: answer, joiningThousands: false)).isEmpty
            ? [] : missing.map(\.shown)
    }

    private func missing(_ tokens: [Token]) -> [Token] {
        var seen: Set<String> = []
        return tokens.filter { !isRead($0) && seen.insert($0.text).inserted }
    }

    private func isRead(_ token: Token) -> Bool {
        if words.contains(token.text) { return true }
        if let numeral = Self.numerals[token.text], numbers.contains(numeral) { return true }
        if let number = token.number {
            let margin = 0.5 * token.lastPlace * (1 + 1e-9)
            // An integer is the rounded form of a decimal, but not of another integer.
            return numbers.contains {
                $0 == number || (token.lastPlace < 1 || $0 != $0.rounded()) && ($0 - number).magnitude <= margin
            }
        }
        // Chinese and Japanese write words without spaces.
        if !token.text.allSatisfy(\.isASCII) { return words.contains { $0.contains(token.text) } }
        // Inflected forms: repairs, repaired.
        let stem = token.text.prefix(max(4, token.text.count - 3))
        return token.text.count > 4 && words.contains { $0.hasPrefix(stem) && $0.count <= token.text.count + 3 }
    }

    /// Whether an answer says that the model does not know.
    static func declines(_ answer: String) -> Bool {
        let words = answer.lowercased().replacing("’", with: "'").split { $0 == "." || $0.isWhitespace }
        let text = words.joined(separator: " ")
        return text == "unknown" || text.hasPrefix("i do not know") || text.hasPrefix("i don't know")
    }

    // MARK: Tokens

    private struct Token {
        var text: String
        /// The word before it was lowercased.
        var shown: String
        var number: Double?
        var startsSentence = false
        /// Value of the last digit: 0.01 for 3.14.
        var lastPlace = 1.0

        var isName: Bool { shown.first?.isUppercase ?? false }
    }

    /// Words in lower case and numbers, function words left out.
    ///
    /// - Parameter joiningThousands: Whether `1,384` is one number instead of two.
    private static func tokens(of text: String, joiningThousands: Bool) -> [Token] {
        var tokens: [Token] = []
        let characters = Array(text)
        var place = 0
        while place < characters.count {
            let start = place
            let isNumber = characters[place].isASCII && characters[place].isNumber
            while place < characters.count {
                let character = characters[place]
                let joins =
                    isNumber && (character == "." || joiningThousands && character == ",")
                    && place + 1 < characters.count && characters[place + 1].isNumber
                guard character.isLetter || character.isNumber || joins else { break }
                place += 1
            }
            guard place > start else {
                place += 1
                continue
            }
            let shown = String(characters[start..<place])
            let word = shown.lowercased()
            let plain = isNumber ? word.replacing(",", with: "") : word
            let number = isNumber ? Double(plain) : nil
            if number == nil, functionWords.contains(word) { continue }
            let decimals = plain.split(separator: ".").dropFirst().first?.count ?? 0
            var token = Token(text: plain, shown: shown, number: number)
            let before = characters[..<start].last { !$0.isWhitespace && $0 != "\"" && $0 != "“" }
            token.startsSentence = before.map { ".!?:".contains($0) } ?? true
            for _ in 0..<(number == nil ? 0 : min(decimals, 15)) { token.lastPlace /= 10 }
            tokens.append(token)
        }
        return tokens
    }

    private static let constants: Set<Double> = [0, 0.5, 1, 2, 7, 10, 12, 24, 60, 100, 365, 1000]

    private static let numerals: [String: Double] = [
        "half": 0.5, "one": 1, "two": 2, "twice": 2, "double": 2, "three": 3, "four": 4, "five": 5, "six": 6,
        "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "dozen": 12,
    ]

    private static let functionWords: Set<String> = [
        "a", "an", "the", "is", "are", "was", "were", "be", "been", "of", "in", "on", "at", "to", "for", "from", "by",
        "with", "and", "or", "not", "no", "yes", "it", "its", "this", "that", "these", "those", "there", "as", "he",
        "she", "they", "his", "her", "their", "has", "have", "had", "does", "do", "did", "which", "who", "what", "true",
        "false", "so", "than", "then", "will", "can",
    ]
}
