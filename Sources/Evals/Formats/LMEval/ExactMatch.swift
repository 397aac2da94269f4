internal import JSON
internal import System
internal import Tokenizers

/// A test of whether an answer equals a target, after removing parts that match expressions, case, punctuation, and
/// digits from both as set.
struct ExactMatch {
    private var ignored: [TextPattern] = []
    private var ignoresCase: Bool
    private var ignoresPunctuation: Bool
    private var ignoresNumbers: Bool

    init(_ settings: ScorerSettings) throws(Problem) {
        for source in settings["regexes_to_ignore"]?.elements ?? [] {
            guard let pattern = TextPattern(source.string ?? "") else {
                throw settings.error("invalid or unsupported regular expression `\(source.string ?? "")`")
            }
            ignored.append(pattern)
        }
        ignoresCase = settings["ignore_case"]?.bool ?? false
        ignoresPunctuation = settings["ignore_punctuation"]?.bool ?? false
        ignoresNumbers = settings["ignore_numbers"]?.bool ?? false
    }

    private static let punctuation = Set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".unicodeScalars)

    func reduced(_ text: String) throws(Problem) -> String {
        var text = text
        for pattern in ignored { text = try pattern.removed(from: text) }
        if ignoresCase { text = text.lowercased() }
        if ignoresPunctuation { text.unicodeScalars.removeAll { Self.punctuation.contains($0) } }
        if ignoresNumbers { text.unicodeScalars.removeAll { $0.value >= 0x30 && $0.value <= 0x39 } }
        return text
    }

    /// Returns whether texts are equal by code points, as Python compares.
    func holds(_ answer: String, _ target: String) throws(Problem) -> Bool {
        try reduced(answer).unicodeScalars.elementsEqual(try reduced(target).unicodeScalars)
    }
}
