internal import JSON
internal import LanguageModels
internal import System

/// A judge's reply, with exactly one verdict.
struct JudgeReply {
    let text: String
    /// Tokens of the reply, if the provider reported them.
    let tokens: [TokenStep]
    let prompt: JudgePrompt

    /// Returns the object of the verdict.
    ///
    /// Strict, because an answer may have persuaded the judge to repeat a planted verdict: exactly one JSON object with
    /// the key, at the end of the reply. Its mark, if any, must be the request's; without a mark, the object must not
    /// occur in the material. Keys must be unique.
    func verdict(_ key: String) throws(Problem) -> JSONValue {
        let body = Self.withoutFence(text.trimmed)
        let objects = FoundJSON.all(in: body, most: 64).filter { $0[key] != nil }
        guard let object = objects.last else { throw Problem(.invalid, "", "the judge gave no verdict") }
        guard objects.count == 1 else { throw Problem(.invalid, "", "the judge gave \(objects.count) verdicts") }
        let keys = (object.members ?? []).map(\.key)
        guard Set(keys).count == keys.count else {
            throw Problem(.invalid, "", "the judge's verdict has a duplicate key")
        }
        guard body.last == "}" else { throw Problem(.invalid, "", "the judge wrote text after its verdict") }
        if let id = object["id"] {
            guard id.string == prompt.mark else {
                throw Problem(.invalid, "", "the verdict has the id of another request")
            }
        } else {
            guard let start = body.lastIndex(of: "{"), !Self.stands(body[start...], in: prompt.material) else {
                throw Problem(.invalid, "", "the verdict is copied from the judged material")
            }
        }
        return object
    }

    /// Returns a number on a scale: from the verdict's object, or from a last line `Score: 4` if there is no object, no
    /// other such line, and none in the material.
    func number(_ key: String, in scale: ClosedRange<Double>) throws(Problem) -> (value: Double, reason: String?) {
        let value: Double
        var reason: String?
        if let marked = marked(key) {
            value = marked
        } else {
            let object = try verdict(key)
            guard let number = object[key]?.double else {
                throw Problem(.invalid, "", "the judge's \(key) is not a number")
            }
            value = number
            reason = object["reason"]?.string
        }
        guard value.isFinite, scale.contains(value) else {
            throw Problem(.invalid, "", "the judge's \(key) of \(value) is not on the scale")
        }
        return (value, reason)
    }

    /// Returns one of some words.
    func word(_ key: String, of words: [String]) throws(Problem) -> (word: String, reason: String?) {
        let object = try verdict(key)
        let given: String? =
            switch object[key] {
            case .string(let text)?: text.trimmed.lowercased()
            case .bool(let value)? where words.contains("yes"): value ? "yes" : "no"
            default: nil
            }
        guard let given, words.contains(given) else {
            throw Problem(.invalid, "", "the judge's \(key) is not one of \(words.joined(separator: ", "))")
        }
        return (given, object["reason"]?.string)
    }

    /// Returns exactly `count` truth values, in order.
    func truths(_ key: String, count: Int) throws(Problem) -> [Bool] {
        let object = try verdict(key)
        guard let elements = object[key]?.elements else {
            throw Problem(.invalid, "", "the judge's \(key) is not a list")
        }
        guard elements.count == count else {
            throw Problem(.invalid, "", "the judge gave \(elements.count) verdicts for \(count) items")
        }
        var truths: [Bool] = []
        for element in elements {
            guard let truth = element.bool else {
                throw Problem(.invalid, "", "the judge's \(key) must hold only true or false")
            }
            truths.append(truth)
        }
        return truths
    }

    /// Returns a list of at most 200 strings.
    func texts(_ key: String) throws(Problem) -> [String] {
        let object = try verdict(key)
        guard let elements = object[key]?.elements else {
            throw Problem(.invalid, "", "the judge's \(key) is not a list")
        }
        let texts = elements.compactMap { $0.string?.trimmed }
        guard texts.count == elements.count, texts.count <= 200 else {
            throw Problem(.invalid, "", "the judge's \(key) is not a list of strings")
        }
        return texts.filter { !$0.isEmpty }
    }

    private func marked(_ key: String) -> Double? {
        guard !text.contains("{"), !prompt.material.contains(where: { Self.lines($0, key).count > 0 }) else {
            return nil
        }
        let found = Self.lines(text, key)
        let last = text.split(whereSeparator: \.isNewline).last { !$0.trimmed.isEmpty }
        guard found.count == 1, let last, Self.lines(String(last), key) == found else { return nil }
        return Double(found[0])
    }

    /// Returns the values of lines with this key and a colon.
    private static func lines(_ text: String, _ key: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.trimmed.replacing("*", with: "").lowercased()
            guard line.hasPrefix(key), let colon = line.firstIndex(of: ":"),
                line[..<colon].trimmed == key
            else { return nil }
            return line[line.index(after: colon)...].trimmed
        }
    }

    /// Returns the content of a code fence around the whole text.
    private static func withoutFence(_ text: String) -> String {
        guard text.hasSuffix("```"), let start = text.firstRange(of: "```") else { return text }
        let before = text[..<start.lowerBound]
        var inner = text[start.upperBound...].dropLast(3)
        guard !inner.contains("```") else { return text }
        if inner.hasPrefix("json") { inner = inner.dropFirst(4) }
        return (before + inner).trimmed
    }

    /// Returns whether a part occurs in the texts, ignoring whitespace.
    private static func stands(_ part: some StringProtocol, in texts: [String]) -> Bool {
        let part = String(part.filter { !$0.isWhitespace })
        return texts.contains { $0.filter { !$0.isWhitespace }.contains(part) }
    }
}
