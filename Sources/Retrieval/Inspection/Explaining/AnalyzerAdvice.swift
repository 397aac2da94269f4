internal import SearchIndexes

/// An analyzer that finds a word of the query in a text in which the corpus's own analyzer finds none.
struct AnalyzerAdvice {
    private var current: String
    private var better: String
    /// A term that `better` finds in both.
    private var term: String
    /// The query's word that holds the term, as `current` splits the query.
    private var word: String

    /// `nil` if no other analyzer helps, so the text really lacks the words.
    init?(_ query: String, _ text: String, analyzer name: String) {
        guard let analyzer = Analyzer.named(name) else { return nil }
        for candidate in Self.candidates(name, query, text) {
            guard let other = Analyzer.named(candidate), other != analyzer else { continue }
            let known = Set(other.terms(of: text))
            guard let found = other.analyze(query).first(where: { $0.term.map(known.contains) ?? false }),
                let term = found.term
            else { continue }
            current = name
            better = other.name
            self.term = term
            word = analyzer.analyze(query).first { $0.bytes.overlaps(found.bytes) }?.word ?? found.word
            return
        }
        return nil
    }

    var findings: [String] {
        [
            "the \(current) analyzer of the corpus turns \(word) into a term that the chunk lacks; \(better) finds \(term)",
            "add the documents to a new corpus with that analyzer: orrery corpus add PATH --corpus NAME --analyzer \(better)",
        ]
    }

    private static func candidates(_ name: String, _ query: String, _ text: String) -> [String] {
        var names: [String] = []
        let scripts = query.unicodeScalars.compactMap { WritingSystem($0.value) }
        if scripts.contains(where: { [.han, .kana, .hangul].contains($0) }) { names.append(name + "+cjk") }
        let guess = LanguageIdentifier.standard.identify(text)
        if let guess, guess.confidence >= 0.65, let language = languages[guess.code] { names.append(language) }
        return names + [name + "+folded"]
    }

    /// Snowball's names of languages by their codes.
    private static let languages = [
        "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
        "fi": "finnish", "fr": "french", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "it": "italian",
        "nb": "norwegian", "nl": "dutch", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish",
        "tr": "turkish",
    ]
}
