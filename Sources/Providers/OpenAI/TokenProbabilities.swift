internal import JSON
internal import LanguageModels

/// Reads what endpoints tell about the probabilities of tokens.
enum TokenProbabilities {
    /// The tokens of a choice, in either of two forms.
    ///
    /// Chat: `{"content": [{"token", "logprob", "bytes", "top_logprobs": [...]}]}`, where llama.cpp adds `id`. Completions:
    /// `{"tokens", "token_logprobs", "top_logprobs": [{token: logprob}]}`.
    /// - Parameter cut: bytes of a character that the tokens before began.
    /// - Returns: Steps without times; `nil` if nothing is reported.
    static func steps(_ node: JSONNode?, cut: inout [UInt8]) -> [TokenStep]? {
        guard let node, node.kind == .object else { return nil }
        if let content = node["content"], content.kind == .array {
            return content.elements.map { entry in
                var bytes = cut + Self.bytes(entry)
                let text = Self.takeWhole(&bytes)
                cut = bytes
                return TokenStep(
                    text: text, id: entry["id"]?.int.map(Int.init), logProbability: told(entry["logprob"]),
                    alternatives: entry["top_logprobs"].map { chatAlternatives($0) })
            }
        }
        guard let tokens = node["tokens"], tokens.kind == .array else { return nil }
        let own = Array(node["token_logprobs"]?.elements ?? tokens.elements).map { told($0) }
        let others = node["top_logprobs"].map { Array($0.elements) }
        return tokens.elements.enumerated().map { index, token in
            let entry = others.flatMap { index < $0.count ? $0[index] : nil }
            return TokenStep(
                text: token.string ?? "", logProbability: index < own.count ? own[index] : nil,
                alternatives: entry.flatMap { $0.kind == .object ? textAlternatives($0) : nil })
        }
    }

    private static func chatAlternatives(_ node: JSONNode) -> [Alternative] {
        let found = node.elements.compactMap { entry -> Alternative? in
            guard let value = told(entry["logprob"]) else { return nil }
            let text = String(decoding: bytes(entry), as: UTF8.self)
            return Alternative(id: entry["id"]?.int.map(Int.init), text: text, logProbability: value)
        }
        return found.sorted { $0.logProbability > $1.logProbability }
    }

    private static func textAlternatives(_ node: JSONNode) -> [Alternative] {
        let found = node.members.compactMap { key, value in
            told(value).map { Alternative(id: nil, text: key.string ?? "", logProbability: $0) }
        }
        return found.sorted { ($0.logProbability, $1.text) > ($1.logProbability, $0.text) }
    }

    /// OpenAI and vLLM write -9999 for unknown values; a value above 0 is not a log probability.
    private static func told(_ node: JSONNode?) -> Double? {
        guard let value = node?.double, value > -9999, value <= 1e-6 else { return nil }
        return value
    }

    /// Returns the bytes of a token, or those of its text if bytes are not reported.
    private static func bytes(_ entry: JSONNode) -> [UInt8] {
        if let bytes = entry["bytes"], bytes.kind == .array {
            let values = bytes.elements.compactMap { $0.int.flatMap { UInt8(exactly: $0) } }
            if values.count == bytes.count { return values }
        }
        var text: [UInt8] = []
        entry["token"]?.appendText(to: &text)
        return text
    }

    /// Takes the characters that are whole; what may still become one stays.
    static func takeWhole(_ bytes: inout [UInt8]) -> String {
        var rest = 0
        for length in 1...3 where length <= bytes.count {
            let lead = bytes[bytes.count - length]
            if lead & 0xC0 == 0x80 { continue }
            let wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
            if wanted > length { rest = length }
            break
        }
        let text = String(decoding: bytes.dropLast(rest), as: UTF8.self)
        bytes = Array(bytes.suffix(rest))
        return text
    }
}
