internal import JSON
internal import LanguageModels

/// What a server told of a text and the one token behind it.
struct Echo {
    var tokens: [String]
    /// Whether each probability has its token; `true` if no tokens are reported.
    private let isPaired: Bool
    /// Log probability of each token; `nil` if not reported, as for the first token.
    var own: [Double?]
    var most: [Double?]
    var offsets: [Int]
    var usage: Usage?

    init?(_ root: JSONNode) {
        guard let choice = root["choices"]?.elements.first(where: { _ in true }),
            let told = choice["logprobs"], let values = told["token_logprobs"], values.kind == .array
        else { return nil }
        own = values.elements.map(\.double)
        let named = told["tokens"]?.elements.map { $0.string ?? "" } ?? []
        isPaired = named.isEmpty || named.count == own.count
        tokens = named.count == own.count ? named : own.map { _ in "" }
        most = told["top_logprobs"]?.elements.map { entry in entry.members.compactMap { $1.double }.max() } ?? []
        offsets = told["text_offset"]?.elements.map { $0.int.map(Int.init) ?? 0 } ?? []
        if let usage = root["usage"], let input = usage["prompt_tokens"]?.int.map(Int.init) {
            self.usage = Usage(
                input: max(0, input), output: usage["completion_tokens"]?.int.map { max(0, Int($0)) } ?? 0)
        }
    }

    /// Returns why the echo cannot belong to this text; `nil` if it may.
    func problem(of prompt: String) -> String? {
        guard isPaired else { return "the response has different numbers of tokens and log probabilities" }
        let isPossible = own.allSatisfy { $0.map { $0 <= Self.highest && $0 >= Self.lowest } ?? true }
        guard isPossible else { return "the response has out-of-range log probabilities" }
        // Tokens spell other characters in ways of their own; letters and digits of ASCII are always themselves.
        guard prompt.utf8.allSatisfy({ $0 < 0x80 }), tokens.contains(where: { !$0.isEmpty }) else { return nil }
        let isPrompt = Self.contains(Self.letters(tokens.joined()), Self.letters(prompt))
        return isPrompt ? nil : "the echoed text differs from the prompt"
    }

    /// What rounding may leave above 0, and less than any token has.
    private static let (highest, lowest) = (1e-6, -1e6)

    /// Letters and digits, small; what stands in angle brackets is a special token, or a byte that is written out.
    private static func letters(_ text: String) -> [UInt8] {
        var letters: [UInt8] = []
        // Where a bracket was opened among them.
        var opened: Int?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): opened = letters.count
            case UInt8(ascii: ">"):
                if let opened { letters.removeSubrange(opened...) }
                opened = nil
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): letters.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
            case UInt8(ascii: "|"), UInt8(ascii: "_"), UInt8(ascii: "/"): break
            default: opened = nil
            }
        }
        return letters
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
    }

    /// The sum over tokens, from left to right.
    func likelihood(from first: Int, to end: Int, of model: OpenAIModel) throws(LanguageModelError) -> Likelihood {
        var likelihood = Likelihood(logProbability: 0, isGreedy: true, usage: usage)
        guard first < end else { return likelihood }
        var tellsAll = true
        for index in first..<end {
            guard let value = own[index] else {
                throw model.violation("the response lacks the log probability of a token")
            }
            likelihood.logProbability += value
            let told = index < most.count ? most[index] : nil
            let isGreedy = told == value
            if told == nil { tellsAll = false }
            likelihood.isGreedy = likelihood.isGreedy && isGreedy
            likelihood.tokens.append(
                Likelihood.Token(text: tokens[index], logProbability: value, isGreedy: isGreedy))
        }
        if !tellsAll { likelihood.rule = Likelihood.withoutAlternatives }
        return likelihood
    }
}
